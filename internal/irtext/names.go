package irtext

import (
	"sort"
	"strings"
)

// The ids that the levels derive are a prefix, a colon and 32 hexadecimal digits.
// A text shows the first digits of one, as many as tell the ids of the document
// from each other, and lists the whole ids at its end.
const (
	wholeDigits = 32
	leastDigits = 8
)

// hexDigits returns how many hexadecimal digits stand behind the prefix and the
// colon of an id; 0 where it is no such thing.
func hexDigits(s string) int {
	i := strings.IndexByte(s, ':')
	if i < 1 || strings.Trim(s[:i], "abcdefghijklmnopqrstuvwxyz_-") != "" || scanWord(s) != len(s) {
		return 0
	}
	if strings.Trim(s[i+1:], "0123456789abcdef") != "" {
		return 0
	}
	return len(s) - i - 1
}

func isWhole(s string) bool { return hexDigits(s) == wholeDigits }

func isShort(s string) bool {
	n := hexDigits(s)
	return n >= leastDigits && n < wholeDigits
}

// named is a list of entities that have display names, and the mark before their
// names.
type named struct {
	sigil byte
	list  string
}

// names are those that a text shows for the ids of a document.
type names struct {
	byID   map[byte]map[string]string // display names, by mark and id
	order  []entry                    // the ids with display names
	digits int
	whole  []string // the other derived ids, in the order of the document
}

// entry is a line of the table of ids.
type entry struct {
	sigil    byte
	name, id string
	at       int
	used     bool
}

func namesOf(doc *node, of []named) *names {
	ns := &names{byID: map[byte]map[string]string{}, digits: leastDigits}
	listed := map[string]bool{}
	for _, x := range of {
		ns.byID[x.sigil] = map[string]string{}
		ns.display(x, doc.get(x.list), listed)
	}
	all := map[string]bool{}
	doc.walk(func(n *node) {
		if n.kind == text && isWhole(n.word) && !all[n.word] {
			all[n.word] = true
			if !listed[n.word] {
				ns.whole = append(ns.whole, n.word)
			}
		}
	})
	for ns.digits < wholeDigits && clash(all, ns.digits) {
		ns.digits += 4
	}
	if ns.digits >= wholeDigits {
		ns.whole = nil
	}
	return ns
}

// display gives the entities of a list their display names, where those are plain
// words and tell them apart.
func (ns *names) display(of named, entities *node, listed map[string]bool) {
	if entities == nil {
		return
	}
	taken := map[string]int{}
	for _, e := range entities.list {
		for _, key := range []string{"id", "name"} {
			if x := e.get(key); x != nil && x.kind == text {
				taken[x.word]++
			}
		}
	}
	for _, e := range entities.list {
		id, name := e.get("id"), e.get("name")
		if id == nil || name == nil || id.kind != text || name.kind != text || !bare(name.word) || isWhole(name.word) || taken[name.word] > 1 {
			continue
		}
		ns.byID[of.sigil][id.word] = name.word
		ns.order = append(ns.order, entry{sigil: of.sigil, name: name.word, id: id.word})
		listed[id.word] = true
	}
}

// clash says whether two ids begin with the same digits.
func clash(ids map[string]bool, digits int) bool {
	seen := map[string]bool{}
	for id := range ids {
		short := cut(id, digits)
		if seen[short] {
			return true
		}
		seen[short] = true
	}
	return false
}

func cut(id string, digits int) string { return id[:len(id)-wholeDigits+digits] }

// table is the table of ids that a text ends with.
type table struct {
	entries []entry
	byName  map[string]int // by mark and name
	whole   []int          // entries by the ids that are derived, sorted
}

func (t *table) sort() {
	t.whole = nil
	for i, e := range t.entries {
		if isWhole(e.id) {
			t.whole = append(t.whole, i)
		}
	}
	sort.SliceStable(t.whole, func(a, b int) bool { return t.entries[t.whole[a]].id < t.entries[t.whole[b]].id })
}

// resolve returns the id that a name or the beginning of an id stands for. The
// problem is "" where it stands for one.
func (t *table) resolve(mark byte, name string) (id, problem string, named bool) {
	if i, there := t.byName[string(mark)+name]; there && mark != 0 {
		t.entries[i].used = true
		return t.entries[i].id, "", true
	}
	if !isShort(name) {
		return name, "", false
	}
	i := sort.Search(len(t.whole), func(i int) bool { return t.entries[t.whole[i]].id >= name })
	if i == len(t.whole) || !strings.HasPrefix(t.entries[t.whole[i]].id, name) {
		return name, "no id in the table of ids begins so", false
	}
	first := &t.entries[t.whole[i]]
	for ; i < len(t.whole) && strings.HasPrefix(t.entries[t.whole[i]].id, name); i++ {
		if t.entries[t.whole[i]].id != first.id {
			return name, "several ids in the table of ids begin so", false
		}
	}
	first.used = true
	return first.id, "", false
}
