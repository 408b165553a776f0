package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/ir"
)

// launched is a program whose launch B on one queue depends on the launch A on
// another one, as a compiler writes it: the dependency is declared, and a token
// brings it about.
const launched = `{"schema": "plancheck.concrete-plan/1", "program": {
	"devices": [{"id": "d"}], "queues": [{"id": "q0", "device": "d"}, {"id": "q1", "device": "d"}],
	"memory_regions": [{"id": "m", "device": "d", "capacity_bytes": 64}],
	"buffers": [{"id": "x", "memory_region": "m", "offset_bytes": 0, "size_bytes": 64}],
	"tokens": [{"id": "t"}], "dependencies": "declare",
	"commands": [
		{"id": "A", "kind": "launch", "queue": "q0", "writes": ["x"]},
		{"id": "S", "kind": "signal", "queue": "q0", "signals": ["t"], "after": ["A"]},
		{"id": "W", "kind": "wait", "queue": "q1", "waits": ["t"], "after": ["S"]},
		{"id": "B", "kind": "launch", "queue": "q1", "reads": ["x"], "after": ["A"]}]}}`

// A dependency that is declared has to be brought about, and a token has to have
// a dependency; each fault is told once, where it is.
func TestDeclaredDependencies(t *testing.T) {
	s := builtin(t)
	const (
		signal = `{"id": "S", "kind": "signal", "queue": "q0", "signals": ["t"], "after": ["A"]},`
		wait   = `{"id": "W", "kind": "wait", "queue": "q1", "waits": ["t"], "after": ["S"]},`
		read   = `{"id": "B", "kind": "launch", "queue": "q1", "reads": ["x"], "after": ["A"]}`
	)
	unsynchronised := told{"cross-queue-unsynchronized", "/program/commands/1/after/0", `B on queue q1 depends on A on queue q0, and nothing lets it wait for it`}
	undeclared := told{"token-not-dependency", "/program/commands/2/waits/0", `W waits for token t of S, but no dependency on S is declared`}
	for _, c := range []struct {
		name  string
		edits []string
		want  []told
	}{
		{"as it is", nil, nil},
		{"nothing synchronises", []string{signal, ``, wait, ``}, []told{unsynchronised}},
		{"a dependency is a wait", []string{signal, ``, wait, ``, `"dependencies": "declare",`, `"dependencies": "wait",`}, nil},
		{"the wait is for the launch", []string{`"after": ["S"]`, `"after": ["A"]`}, nil},
		{"the wait is for what the launch behind it depends on", []string{`, "after": ["S"]`, ``}, nil},
		{"the launch waits itself", []string{wait, ``, read, `{"id": "B", "kind": "launch", "queue": "q1", "reads": ["x"], "waits": ["t"], "after": ["A"]}`}, nil},
		{"no dependency is declared", []string{`, "after": ["S"]`, ``, `"reads": ["x"], "after": ["A"]`, `"reads": ["x"]`}, []told{undeclared}},
		{"undeclared, but waits are not", []string{`, "after": ["S"]`, ``, `"reads": ["x"], "after": ["A"]`, `"reads": ["x"]`, `"dependencies": "declare",`, ``}, nil},
		{"what races only because of a dependency", []string{read, `{"id": "B", "kind": "launch", "queue": "q2", "reads": ["x"], "after": ["W"]}`,
			`{"id": "q1", "device": "d"}`, `{"id": "q1", "device": "d"}, {"id": "q2", "device": "d"}`}, []told{
			{"cross-queue-unsynchronized", "/program/commands/3/after/0", `B on queue q2 depends on W on queue q1, and nothing lets it wait for it`}}},
		{"a race besides", []string{read, `{"id": "B", "kind": "launch", "queue": "q2", "reads": ["x"]}`,
			`{"id": "q1", "device": "d"}`, `{"id": "q1", "device": "d"}, {"id": "q2", "device": "d"}`}, []told{
			{"data-race", "/program/commands/3", `A and B both use buffer x, one of them writes it, and nothing orders them`}}},
		{"a queue without an order", []string{`{"id": "q0", "device": "d"}`, `{"id": "q0", "device": "d", "ordered": false}`}, []told{
			{"cross-queue-unsynchronized", "/program/commands/1/after/0", `S depends on A on the same queue q0, which has no order, and nothing lets it wait for it`},
			{"cross-queue-unsynchronized", "/program/commands/3/after/0", `B on queue q1 depends on A on queue q0, and nothing lets it wait for it`}}},
		{"dependencies in a circle", []string{`"writes": ["x"]`, `"writes": ["x"], "after": ["B"]`, wait, ``, signal, ``}, []told{
			{"dag-cycle", "/program/commands/0/after/0", `2 commands depend on each other`}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := launched
			for i := 0; i < len(c.edits); i += 2 {
				if strings.Count(text, c.edits[i]) != 1 {
					t.Fatalf("%q is there %d times", c.edits[i], strings.Count(text, c.edits[i]))
				}
				text = strings.Replace(text, c.edits[i], c.edits[i+1], 1)
			}
			v := judge(t, s, plan(t, "plan.json", []byte(text)), Options{})
			if diff := cmp.Diff(c.want, tell(v.Findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// undeclaredTokens says how many waits for tokens have no dependency that they
// serve.
func undeclaredTokens(p *ir.Program, lists [][]*ir.Command) int {
	at := map[ir.ID][2]int{} // queue and place
	for q, list := range lists {
		for i, c := range list {
			at[c.ID] = [2]int{q, i}
		}
	}
	n := 0
	for _, list := range lists {
		for i, c := range list {
			for _, token := range c.Waits {
				k := slices.IndexFunc(p.Commands, func(s ir.Command) bool { return slices.Contains(s.Signals, token) })
				signal := at[p.Commands[k].ID]
				of := []*ir.Command{c} // the command, and the first behind it that is no wait
				if j := slices.IndexFunc(list[i:], func(d *ir.Command) bool { return d.Kind != ir.KindWait }); j > 0 {
					of = append(of, list[i+j])
				}
				served := slices.ContainsFunc(of, func(d *ir.Command) bool {
					return slices.ContainsFunc(d.After, func(id ir.ID) bool { return at[id][0] == signal[0] && at[id][1] <= signal[1] })
				})
				if !served && at[c.ID][0] != signal[0] {
					n++
				}
			}
		}
	}
	return n
}

// A player that tries all orders agrees with the rules on which declared
// dependencies hold, and on races besides them.
func TestDeclaredDependenciesAgreeWithAPlayer(t *testing.T) {
	s := builtin(t)
	count := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := randomProgram(t)
		cs := p.Program.Commands
		for range rapid.IntRange(1, 4).Draw(t, "dependencies") {
			if len(cs) < 2 {
				break
			}
			i := rapid.IntRange(1, len(cs)-1).Draw(t, "command")
			before := cs[rapid.IntRange(0, i-1).Draw(t, "before")].ID
			if !slices.Contains(cs[i].After, before) {
				cs[i].After = append(cs[i].After, before)
			}
		}
		middle := func(c ir.Command) bool { return c.Queue == p.Program.Queues[1].ID && c.Channel != ir.NoID }
		p.Program.Queues[1].Unordered = rapid.Bool().Draw(t, "unordered") && !slices.ContainsFunc(cs, middle)
		if x := p.Program.Extension; x != nil && p.Program.Queues[1].Unordered {
			x.Queue.Orders = slices.Delete(x.Queue.Orders, 1, 2)
		}
		p.Program.Declared = rapid.Bool().Draw(t, "declared")
		if ds := ir.Validate(p); ds != nil {
			t.Fatal(ds[0].Message)
		}

		declared := p.Program.Declared
		p.Program.Declared = false
		waiting := play(p.Program)
		p.Program.Declared = declared
		free := play(p.Program)
		want := map[string]bool{}
		for i := range cs {
			for j := range i {
				if conflicts(&cs[i], &cs[j]) && waiting.together[pairOf(cs[i].ID, cs[j].ID)] {
					want["data-race"] = true
				}
				if slices.Contains(cs[i].After, cs[j].ID) && free.together[pairOf(cs[i].ID, cs[j].ID)] {
					want["cross-queue-unsynchronized"] = true
				}
			}
		}
		if declared && undeclaredTokens(p.Program, free.lists) > 0 {
			want["token-not-dependency"] = true
		}
		if waiting.stuck {
			want = map[string]bool{"dead": true}
		}
		for code := range want {
			count[code]++
		}
		if len(want) == 0 && declared {
			count["legal"]++
		}
		v, err := s.Judge(t.Context(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		for _, f := range v.Findings {
			switch f.Code {
			case "schedule-deadlock", "token-wait-before-signal", "dag-cycle", "queue-order-violates-dependency":
				got["dead"] = true
			default:
				got[f.Code] = true
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("findings (-want +got):\n%s\n%s\n%v", diff, ir.Encode(p), tell(v.Findings))
		}
	})
	if testing.Short() {
		return // too few to hold all kinds every time
	}
	for _, kind := range strings.Fields("legal data-race cross-queue-unsynchronized token-not-dependency dead") {
		if count[kind] == 0 {
			t.Errorf("no program was %s: %v", kind, count)
		}
	}
}
