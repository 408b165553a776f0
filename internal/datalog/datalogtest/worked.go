package datalogtest

// Example is a program and the rows of one of its relations.
type Example struct{ Program, Relation, Want string }

// Worked returns programs with answers worked out by hand. Among them are all
// that Mangle's own evaluator gets wrong.
func Worked() []Example {
	return []Example{
		{`e(1,2). e(2,3). t(X,Y) :- e(X,Y). t(X,Z) :- t(X,Y), t(Y,Z).`, "t", "(1, 2) (1, 3) (2, 3)"},
		{`inst(1). inst(2). stage(1,0). missing(X) :- inst(X), !stage(X,_).`, "missing", "(2)"},
		{`p(1,1). p(1,2). q(X) :- p(X,_), !p(Y,Y).`, "q", ""},
		{`p(2,1). p(1,2). q(X) :- p(X,_), !p(Y,Y).`, "q", "(1) (2)"},
		{`p(1). p(5). q(X) :- X != 1, p(X).`, "q", "(5)"},
		{`p(1). q(X, Y) :- Y = fn:plus(X, 1), X = Z, p(Z).`, "q", "(1, 2)"},
		{`p(3). q(fn:mult(X, X, 2), fn:minus(X), fn:div(-7, 2), fn:div(9, X, -2), fn:plus(X)) :- p(X).`, "q", "(18, -3, -3, -1, 3)"},
		{`p("a"). p(/a). p([1]). p(1). q(X) :- p(X), X != "a".`, "q", "(1) (/a) ([1])"},
		{`p([1, 2, 1]). q(X) :- p(L), :list:member(X, L).`, "q", "(1) (2)"},
		{`p([1, 2]). p([]). q(H, T) :- p(L), :match_cons(L, H, T).`, "q", "(1, [2])"},
		{`p([1, 2]). p([]). q(L) :- p(L), :match_nil(L).`, "q", "([])"},
		{`p([1, 2]). p([]). q(L) :- p(L), :filter(fn:list:contains(L, 2)).`, "q", "([1, 2])"},
		{`q(fn:list:get([7, 8], 1), fn:list:cons(1, [2]), fn:list:append([1], "x"), fn:list:len([0, 0])).`, "q", `(8, [1, 2], [1, "x"], 2)`},
		{`q(fn:string:concat("a", /b, 3), fn:string:replace("aaa", "a", "b", 2), fn:number:to_string(-4), fn:name:to_string(/n)).`, "q", `("a/b3", "bba", "-4", "/n")`},
		{`p("abc"). q(X) :- p(X), :string:starts_with(X, "ab"), :string:ends_with(X, "bc"), :string:contains(X, "b").`, "q", `("abc")`},
		{`p(/a/b/c). p(/a). q(fn:name:root(X), fn:name:tip(X), fn:name:list(X)) :- p(X).`, "q", "(/a, /a, [/a]) (/a, /c, [/a, /b, /c])"},
		{`p(1, 3). p(3, 1). p(5, 2). q(X) :- p(X, Y), :within_distance(X, Y, 3).`, "q", "(1) (3)"},
		{`p(/a/b). p(/a). p(/ab). q(X) :- p(X), :match_prefix(X, /a).`, "q", "(/a/b) (/ab)"},
		{`p(1). p(2). p(3). q(X) :- p(X), 1 < X, X <= 2. r(X) :- p(X), X >= 2, 3 > X.`, "r", "(2)"},
		{`p(1). q() :- p(_). r(X) :- p(X), q(). s(X) :- p(X), !q().`, "r", "(1)"},
		{`p(1). q() :- p(_). s(X) :- p(X), !q().`, "s", ""},
		{`p(4). q(X, Z) :- p(X) |> let Y = fn:plus(X, 1), let Z = fn:mult(Y, 2).`, "q", "(4, 10)"},
		{`p(1,1). p(1,2). p(2,1). q(N) :- p(X,X) |> do fn:group_by(), let N = fn:count().`, "q", "(1)"},
		{`p(1,7). p(1,8). p(2,7). q(X,N,M) :- p(X,_), p(_,Y) |> do fn:group_by(X), let N = fn:count(), let M = fn:plus(N,X).`, "q", "(1, 6, 7) (2, 3, 5)"},
		{`p(1,7). p(1,8). q(N) :- p(X,_) |> do fn:group_by(), let N = fn:count().`, "q", "(2)"},
		{`p(2,7). p(1,8). p(3,7). q(A,B,S,N,M) :- p(X,Y) |> do fn:group_by(), let A = fn:collect(Y), let B = fn:collect_distinct(Y), let S = fn:sum(Y), let N = fn:min(X), let M = fn:max(X).`,
			"q", "([8, 7, 7], [7, 8], 22, 1, 3)"},
		{`p(1,10). p(1,20). r(1,5). z(1). tot(X,T) :- p(X,B), z(X) |> do fn:group_by(X), let T = fn:sum(B). tot(X,T) :- r(X,Q), z(X) |> do fn:group_by(X), let T = fn:count().`, "tot", "(1, 1) (1, 30)"},
		{`p(1,9223372036854775807). p(2,1). p(3,-5). q(S) :- p(X,Y) |> do fn:group_by(), let S = fn:sum(Y).`, "q", "(9223372036854775803)"},
		{`s(0). nxt(0,1). nxt(1,2). nxt(2,3). nxt(3,4). a(X) :- s(X). b(X) :- s(X). a(Y) :- a(X), nxt(X,Y), ok(X). b(Y) :- b(X), nxt(X,Y), ok(X). ok(X) :- s(X). ok(X) :- both(X). both(X) :- a(X), b(X).`,
			"both", "(0) (1) (2) (3) (4)"},
		{`e(1,1). dbl(1,2). dbl(2,4). dbl(4,8). dbl(8,16). d(X,X) :- e(X,X). d(Y,Y) :- d(X,X), d(X,Z), dbl(Z,Y).`, "d", "(1, 1) (2, 2) (4, 4) (8, 8) (16, 16)"},
		// What an earlier version got wrong.
		{`Decl q(). p(1). q() :- p(_).`, "q", "()"},
		{"Decl p(A) bound [.List</number>]. Decl q(A) bound [/number]. p([1, 2]). q(Y) :- p(X), :list:member(Y, X).", "q", "(1) (2)"},
		{"Decl p(A) bound [.List</number>]. Decl q(A) bound [/number]. p([1, 2]). q(Y) :- p(X), :match_cons(X, Y, _).", "q", "(1)"},
		{"Decl p(A) bound [.List</number>]. Decl q() bound []. p([]). q() :- p(X), :match_nil(X).", "q", "()"},
		{"Decl p(A) bound [/number]. Decl q(A) bound [/number]. p(3). q(fn:list:get([1, X], 1)) :- p(X).", "q", "(3)"},
		{"Decl p(A) bound [/number]. Decl q(A) bound [/number]. p(3). q(A) :- p(_) |> do fn:group_by(), let X0 = fn:count(), let A = fn:plus(X0, 1).", "q", "(2)"},
		{`Decl p(A) bound [/string]. Decl q(A) bound [/string]. p("a"). q(Y) :- p(X) |> let Y = fn:string:concat(X, "b").`, "q", `("ab")`},
		{`Decl p(A) bound [/string]. Decl q(A) bound [/string]. p("a"). q(Y) :- p(X) |> let Y = fn:string:replace(X, "a", "b", 1).`, "q", `("b")`},
		{`Decl p(A) bound [/number]. Decl q(A) bound [.List</number>]. p(1). q(Y) :- p(X) |> let Y = [X, X].`, "q", "([1, 1])"},
		{`Decl p(A) bound [/string]. Decl q(A) bound [/string]. p("a"). q(X) :- p(X), "" != fn:string:replace(X, "", "ba", 2).`, "q", `("a")`},
		{`Decl p(A) bound [.List</number>]. Decl q(A) bound [.List</number>]. p([1]). q(X) :- p(X), X != fn:list:append(X, 2).`, "q", "([1])"},
		{`Decl p(A) bound [/number]. Decl q(A) bound [/number]. p(3). q(X) :- Y = X, X < 4, p(Y).`, "q", "(3)"},
		{`Decl p(A) bound [/number]. Decl q(A) bound [/number]. p(3). q(1) :- [X, X] = [3, 3], p(X).`, "q", "(1)"},
		{`r(/b). p(X) :- r(X), X != /a .`, "p", "(/b)"},
		{`r(/b). s(1, 2). p(X) :- r(X), !s(L, L).`, "p", "(/b)"},
		{`e(5). d(X) :- d(X). d(X) :- d(_), e(X). d(1).`, "d", "(1) (5)"},
		{`g(/a). d(1). Decl d3(X) bound [/any]. d3(X) :- !e(_, fn:name:to_string(X)), g(X) |> do fn:group_by(X). d3(X) :- d(X). e(1, "x").`, "d3", "(1) (/a)"},
	}
}
