package irtext

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// everySection calls visit for all sections of all levels.
func everySection(visit func(path string, s *section)) {
	var walk func(path string, s *section)
	walk = func(path string, s *section) {
		visit(path, s)
		for _, b := range s.blocks {
			walk(path+"/"+b.field, b.section)
		}
		for _, l := range s.lists {
			if l.inner != nil {
				walk(path+"/"+l.field, l.inner)
			}
		}
	}
	for _, l := range levels() {
		walk(l.word, l.body)
	}
}

// A statement is known by its first word or mark, and a part by its keyword.
func TestFormsAreToldApart(t *testing.T) {
	everySection(func(path string, s *section) {
		taken := map[string]string{"%": "", "return": "", "no": ""}
		if s.graph == nil {
			taken = map[string]string{}
		}
		for _, l := range s.lists {
			begin := l.form.keyword
			if begin == "" {
				begin = string(l.mark)
			}
			if other, twice := taken[begin]; twice {
				t.Errorf("%s: %q begins statements of %q and %q", path, begin, other, l.field)
			}
			taken[begin] = l.field
			words := keywords(l.form.parts)
			for i, w := range words {
				if slices.Contains(words[:i], w) && w != "by" { // of an implementation, and of a lineage behind its kind
					t.Errorf("%s: two parts of %q begin with %q", path, l.field, w)
				}
			}
		}
		for _, o := range s.own {
			if other, twice := taken[o.form.keyword]; twice {
				t.Errorf("%s: %q begins statements of %q and %q", path, o.form.keyword, other, o.field)
			}
		}
	})
}

// The guide shows every statement.
func TestGuideShowsStatements(t *testing.T) {
	page, err := os.ReadFile("../../docs/text.md")
	if err != nil {
		t.Fatal(err)
	}
	everySection(func(path string, s *section) {
		for _, l := range s.lists {
			if w := l.form.keyword; w != "" && !strings.Contains(string(page), "\n"+strings.Repeat("  ", 1+strings.Count(path, "/"))+w+" ") {
				t.Errorf("%s: no statement %q in docs/text.md", path, w)
			}
		}
		for _, b := range s.blocks {
			if !strings.Contains(string(page), " "+b.field+" {\n") {
				t.Errorf("%s: no block %q in docs/text.md", path, b.field)
			}
		}
	})
}
