package derive

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/internal/example"
	"plancheck/ir"
	"plancheck/ir/levels"
)

// harmless are the changes of calls, operands and ports that are no fault, by the
// place in the program and what was done, and why they are none.
var harmless = map[string]string{
	"/instructions/id: unknown":                         "an id is a name, and nothing names a call by it",
	"/instructions/lineage/transform: unknown":          "what made an instruction is for people",
	"/instructions/lineage: dropped":                    "an instruction names its command by itself; lineage is only needed where the two differ",
	"/instructions/lineage/kind: cloned":                "how an instruction was made of its command is for people",
	"/instructions/lineage/kind: fused":                 "how an instruction was made of its command is for people",
	"/instructions/lineage/kind: decomposed":            "how an instruction was made of its command is for people",
	"/instructions/lineage/kind: preserved":             "how an instruction was made of its command is for people",
	"/instructions/lineage/sources: repeated":           "it says the same twice",
	"/instructions/operands: terms of a sum turned":     "a sum has no order",
	"/ports: turned":                                    "ports are a set",
	"/instructions/operands: a read and a write turned": "what is read and what is written are in orders of their own",
}

// several are the changes that are more than one cause, by the place in the program.
var several = map[string]string{
	"/instructions/source_command": "one command loses its instruction, and another one has an instruction too many",
}

// change is a program with one change.
type change struct {
	path, what string // the path without places in lists
	program    []byte
}

// changes lists a program with each change of each field of its ports and of what
// does commands, one by one.
func changes(t *testing.T, program []byte) (all []change) {
	t.Helper()
	var root map[string]any
	d := json.NewDecoder(strings.NewReader(string(program)))
	d.UseNumber()
	if err := d.Decode(&root); err != nil {
		t.Fatal(err)
	}
	delete(root, "digest")
	count := map[string]int{}
	note := func(path, what string) {
		if count[path+what]++; count[path+what] > 6 { // the others are alike
			return
		}
		text, err := json.Marshal(root)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, change{path, what, text})
	}
	seen := map[string][]any{} // of each path all texts, in order
	words := map[string][]string{
		"/ports/dtype": {"bf16", "f16"}, "/ports/direction": {"input", "output"},
		"/instructions/operands/dtype": {"bf16", "f16"}, "/instructions/operands/access": {"read", "write"},
		"/instructions/function":          {"model.relu", "model.gelu", "model.linear", "all-gather", "all-reduce", "sum", "frobnicate"},
		"/instructions/meeting/reduction": {"sum", "max", "min", "product"},
		"/instructions/opcode/name":       {"call", "copy", "send", "recv", "barrier", "signal"},
		"/instructions/lineage/kind":      {"root", "cloned", "fused", "decomposed", "preserved", "generated"},
	}
	var gather func(path string, x any)
	gather = func(path string, x any) {
		switch x := x.(type) {
		case map[string]any:
			for k, y := range x {
				gather(path+"/"+k, y)
			}
		case []any:
			for _, y := range x {
				gather(path, y)
			}
		default:
			if !slices.Contains(seen[path], x) {
				seen[path] = append(seen[path], x)
			}
		}
	}
	summing := false
	var vary func(path string, x any, set func(any))
	vary = func(path string, x any, set func(any)) {
		put := func(what string, y any) {
			if y != x {
				set(y)
				note(path, what)
				set(x)
			}
		}
		switch x := x.(type) {
		case map[string]any:
			for _, k := range sortedKeys(x) {
				was := x[k]
				delete(x, k)
				note(path+"/"+k, "dropped")
				x[k] = was
				vary(path+"/"+k, was, func(y any) { x[k] = y })
			}
		case []any:
			for i := range x {
				set(slices.Delete(slices.Clone(x), i, i+1))
				note(path, "dropped")
				set(slices.Insert(slices.Clone(x), i, x[i]))
				note(path, "repeated")
				if i > 0 && fmt.Sprint(x[i]) != fmt.Sprint(x[i-1]) {
					turned := slices.Clone(x)
					turned[i], turned[i-1] = x[i-1], x[i]
					set(turned)
					what := "turned"
					if a, ok := x[i].(map[string]any); ok && a["access"] != x[i-1].(map[string]any)["access"] {
						what = "a read and a write turned"
					} else if ok && summing {
						what = "terms of a sum turned"
					}
					note(path, what)
				}
				set(x)
				vary(path, x[i], func(y any) { x[i] = y })
			}
		case json.Number:
			n, err := x.Int64()
			if err != nil {
				t.Fatal(err)
			}
			put("more", json.Number(fmt.Sprint(n+1)))
			put("less", json.Number(fmt.Sprint(n-1)))
		case string:
			put("unknown", "unknown")
			for _, w := range words[path] {
				put(w, w)
			}
			if words[path] == nil {
				others := slices.SortedFunc(slices.Values(seen[path]), func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
				for _, other := range others[:min(3, len(others))] {
					put("another", other)
				}
			}
		case bool:
			put("turned", !x)
		}
	}
	gather("/ports", root["ports"])
	vary("/ports", root["ports"], func(x any) { root["ports"] = x })
	for _, s := range root["sections"].([]any) {
		section := s.(map[string]any)
		if list, ok := section["instructions"].([]any); ok {
			gather("/instructions", list)
		}
	}
	for _, s := range root["sections"].([]any) {
		for _, x := range s.(map[string]any)["instructions"].([]any) {
			x := x.(map[string]any)
			if x["token"] != nil {
				continue
			}
			summing = x["function"] == "sum"
			vary("/instructions", x, nil)
			for _, o := range operandsOf(x) {
				if o["workspace"] == nil { // the encoder leaves out what is false
					o["workspace"] = true
					note("/instructions/operands/workspace", "turned")
					delete(o, "workspace")
				}
			}
		}
	}
	return all
}

func operandsOf(x map[string]any) (all []map[string]any) {
	list, _ := x["operands"].([]any)
	for _, o := range list {
		all = append(all, o.(map[string]any))
	}
	return all
}

func sortedKeys(m map[string]any) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Every change of a call, an operand or a port is found beside the plan, the
// portable plan or the tasks, and beside each as one cause; or it is no fault.
func TestLowerMutations(t *testing.T) {
	size := example.ModelSize{Hidden: 8, FFN: 16, DType: "f32"}
	gpu := onA100(t, built(t, "mlp", size), strategy(built(t, "mlp", size), 2, []string{"column", "row"}), 4)
	chip := onChip(t, "row-parallel", example.ModelSize{Hidden: 16, FFN: 16, DType: "bf16"}, 2, 1, 4)
	used := map[string]bool{}
	for _, on := range []struct {
		name string
		*scheduling
	}{{"gpu", gpu}, {"chip", chip}} {
		t.Run(on.name, func(t *testing.T) {
			plan := facts.OfPlan(copied(t, on.scheduled(t)))
			program, err := Lower(plan.Plan(), Lowering{Portable: on.Portable, Tasks: on.tasks})
			if err != nil {
				t.Fatal(err)
			}
			besides := []*facts.Document{plan, read(t, on.Portable), read(t, on.tasks)}
			for _, beside := range besides {
				v, err := judged(context.Background(), read(t, program), beside)
				if err != nil || len(v.Findings) > 0 {
					t.Fatal(err, found(v.Findings))
				}
			}
			all := changes(t, levels.Encode(program))
			if len(all) < 300 {
				t.Errorf("only %d changes", len(all))
			}
			for _, c := range all {
				key := c.path + ": " + c.what
				child, _ := facts.Decode(diag.NewSource("machine.json", c.program))
				if child == nil {
					continue // refused
				}
				anywhere := false
				for _, beside := range besides {
					v, err := judged(context.Background(), child, beside)
					if err != nil {
						t.Fatal(key, err)
					}
					var codes []string
					for _, f := range v.Findings {
						codes = append(codes, f.Code)
					}
					slices.Sort(codes)
					codes = slices.Compact(codes)
					if len(codes) > 1 && several[c.path] == "" {
						t.Errorf("%s: several causes beside %s: %v", key, beside.Schema, codes)
					}
					anywhere = anywhere || len(codes) > 0
				}
				why := harmless[key]
				switch {
				case anywhere && why != "":
					t.Errorf("%s is found, and said to be harmless: %s", key, why)
				case !anywhere && why == "":
					t.Errorf("%s: nothing is found", key)
				case !anywhere:
					used[key] = true
				}
			}
		})
	}
	for key := range harmless {
		if !used[key] {
			t.Errorf("no change is %s", key)
		}
	}
}

// Beside a document that it was not made from, or that it does not name, a program
// is found guilty of that alone.
func TestLoweredBesideOthers(t *testing.T) {
	s := onChip(t, "mlp", example.ModelSize{Hidden: 16, FFN: 32, DType: "bf16"}, 2, 1, 4)
	plan := s.scheduled(t)
	program, err := Lower(plan, Lowering{Portable: s.Portable, Tasks: s.tasks, Target: s.Target})
	if err != nil {
		t.Fatal(err)
	}
	other := onChip(t, "row-parallel", example.ModelSize{Hidden: 16, FFN: 32, DType: "bf16"}, 4, 1, 4)
	target := *s.Target
	target.Architecture = "another"
	others := []*facts.Document{facts.OfPlan(other.scheduled(t)), read(t, other.Portable), read(t, other.tasks), read(t, &target)}
	own := []*facts.Document{facts.OfPlan(plan), read(t, s.Portable), read(t, s.tasks), read(t, s.Target)}
	unnamed := *program
	unnamed.Parents, unnamed.Digest = nil, ""
	for i := range own {
		for _, c := range []struct {
			child, beside *facts.Document
			want          []string
		}{
			{read(t, program), own[i], nil},
			{read(t, program), others[i], []string{"parent-digest-wrong"}},
			{read(t, &unnamed), own[i], []string{"parent-digest-missing"}},
		} {
			v, err := judged(context.Background(), c.child, c.beside)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range v.Findings {
				got = append(got, f.Code)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.beside.Schema, diff)
			}
		}
	}
}

// A plan that does something else than its portable plan is not lowered with it.
func TestLowerRefusesOtherOperations(t *testing.T) {
	size := example.ModelSize{Hidden: 8, FFN: 16, DType: "f32"}
	s := onA100(t, built(t, "mlp", size), strategy(built(t, "mlp", size), 2, []string{"column", "row"}), 4)
	for _, function := range []string{"model.gelu", "all-reduce"} {
		plan := copied(t, s.scheduled(t))
		i := slices.IndexFunc(plan.Program.Commands, func(c ir.Command) bool { return c.Op == function })
		plan.Program.Commands[i].Op = "model.relu"
		_, err := Lower(plan, Lowering{Portable: s.Portable})
		if err == nil || !strings.Contains(err.Error(), ": it does model.relu, but task ") || !strings.HasSuffix(err.Error(), ", whose result it writes, does "+function) {
			t.Errorf("%s: %v", function, err)
		}
	}
}
