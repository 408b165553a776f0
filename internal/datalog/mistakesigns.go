package datalog

import (
	"slices"
	"strings"
)

// arithmetic looks at what may be an operator or a foreign comment.
func (s *scan) arithmetic() {
	word := s.word(0)
	last := s.word(-1)
	term := last == ")" || last != "" && (isUpper(last[0]) || isDigit(last[0])) && last != "Decl"
	functions := map[byte]string{'+': "fn:plus", '-': "fn:minus", '*': "fn:mult", '/': "fn:div"}
	switch {
	case strings.HasPrefix(word, "//"), word == "/" && s.touches("*"), word == "-" && s.touches("-"), word[0] == '%' && !term:
		s.say("a comment begins with #")
		for line := s.tokens[s.at].line; s.at+1 < len(s.tokens) && s.tokens[s.at+1].line == line; {
			s.at++
		}
	case word[0] == '%':
		s.say("there is no %% operator: what is left of a division is fn:minus(A, fn:mult(B, fn:div(A, B)))")
	case term:
		right := strings.TrimLeft(word, "+-*/")
		if right == "" {
			right = s.word(1)
		}
		if last == ")" {
			last = ".."
		}
		s.say("there is no %c operator: write %s(%s, %s)", word[0], functions[word[0]], last, right)
	case word == "-" && s.word(1) != "" && isUpper(s.word(1)[0]):
		s.say("write fn:minus(%s) for -%[1]s", s.word(1))
	}
}

// sign looks at brackets, dots and other signs.
func (s *scan) sign() {
	top := len(s.open) == 0
	switch word := s.word(0); word {
	case "(", "[", "{":
		s.open = append(s.open, s.at)
	case ")", "]", "}":
		s.closing(word)
	case ".":
		if !top && s.clean() {
			s.unclosed("before the full stop")
		}
		s.fresh = true
	case ":-", "⟸":
		if !top && s.clean() {
			s.unclosed("before " + word)
		} else if s.body && s.clean() {
			s.say("a second %s: end the rule %s, which begins in line %d, with a full stop", word, s.statement(), s.tokens[s.start].line)
		}
		s.open, s.body = s.open[:0], true
	case "|>":
		s.transform = true
	case ",":
		if next := s.word(1); top && s.transform && !slices.Contains([]string{"let", "do", ".", ""}, next) {
			s.at++
			s.say("a transform holds let statements only: test %s in another rule, one that reads %s", s.upTo(), s.statement())
		}
	case ";":
		if next := s.at + 1; next < len(s.tokens) && s.tokens[next].line == s.tokens[s.at].line {
			s.say("there is no ; here: a comma is and, a rule for each case is or, and a full stop ends a statement")
		} else {
			s.say("a statement ends with a full stop, not with ;")
		}
	default:
		s.pair(word)
	}
}

// pair looks at operators of other languages.
func (s *scan) pair(word string) {
	for _, p := range []struct{ first, second, write string }{
		{"=", "=", "="}, {"<", ">", "!="}, {"=", "<", "<="}, {"=", ">", ">="}, {":", "=", "="},
		{"<", "-", ":-"}, {"&", "&", "a comma"}, {"|", "|", "a rule for each case"},
		{`\`, "+", "!"}, {"!", "(", "! without brackets"},
	} {
		if word == p.first && s.touches(p.second) {
			s.say("write %s for %s%s", p.write, p.first, p.second)
			if p.second != "(" {
				s.at++
			}
			s.body = s.body || p.write == ":-"
			return
		}
	}
	switch {
	case word == ":" && len(s.open) == 0:
		s.say("write :- between the head of a rule and its body")
		s.body = true
	case word == "&":
		s.say("write a comma for &")
	case word == "|":
		s.say("there is no or: write a rule for each case")
	case word == "~" || word == "¬":
		s.say("write ! for %s", word)
	}
}

// closing looks at a closing bracket.
func (s *scan) closing(word string) {
	if len(s.open) == 0 {
		if s.clean() {
			s.say("there is no bracket for this %s to close", word)
		}
		return
	}
	pairs := map[string]string{"(": ")", "[": "]", "{": "}"}
	last := len(s.open) - 1
	if pairs[s.tokens[s.open[last]].word] != word && s.clean() {
		s.unclosed("before " + word)
	}
	for i := last; i >= 0; i-- { // back to the one that it closes
		if pairs[s.tokens[s.open[i]].word] == word {
			last = i
			break
		}
	}
	s.open = s.open[:last]
}

// upTo is what stands between the token at hand and the next comma or full
// stop.
func (s *scan) upTo() string {
	var words []string
	depth := 0
	for _, t := range s.tokens[s.at:] {
		switch t.word {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		if depth <= 0 && (t.word == "," || t.word == ".") || len(words) > 20 {
			break
		}
		if len(words) > 0 && needsSpace(words[len(words)-1], t.word) {
			words = append(words, " ")
		}
		words = append(words, t.word)
	}
	return strings.Join(words, "")
}
