package execute

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/internal/reference"
	"plancheck/internal/tensor"
	"plancheck/ir/level"
	"plancheck/ir/machine"
	"plancheck/rules"
)

var ruleSet = sync.OnceValues(func() (*rules.Set, []diag.Diagnostic) { return rules.Load(nil) })

// judged lists what the rules say of a plan: code and message.
func judged(t *testing.T, f *fixture) []string {
	t.Helper()
	set, diags := ruleSet()
	if set == nil {
		t.Fatal(diags)
	}
	v, err := set.JudgeDocument(context.Background(), facts.OfPlan(f.decoded(t)), rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, d := range v.Findings {
		all = append(all, d.Code+": "+d.Message)
	}
	return all
}

// compare runs a program and compares its output y with the reference.
func compare(t *testing.T, f *fixture, p *machine.Program, o Options, seed uint64) reference.Comparison {
	t.Helper()
	o.Inputs = f.inputs(t, seed)
	memory, err := Run(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	want, err := reference.Evaluate(f.model, o.Inputs)
	if err != nil {
		t.Fatal(err)
	}
	ids, got, err := memory.Outputs()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"y"}, ids); diff != "" {
		t.Fatal(diff)
	}
	c, err := want.CompareDrawn("y", got["y"], 8)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestProgramsComputeWhatTheModelSays(t *testing.T) {
	for _, ranks := range []int64{1, 2, 4} {
		for _, dtype := range []string{"f64", "f32", "bf16", "f16"} {
			for _, tokens := range []bool{true, false} {
				for name, f := range map[string]*fixture{
					"linear": linearFixture(ranks, dtype, 5, 24, 7, tokens),
					"gelu":   mlpFixture(ranks, dtype, "model.gelu", 3, 16, 32, tokens),
					"relu":   mlpFixture(ranks, dtype, "model.relu", 4, 8, 20, tokens),
				} {
					t.Run(fmt.Sprint(name, " ", ranks, " ", dtype, " ", tokens), func(t *testing.T) {
						t.Parallel()
						if got := judged(t, f); got != nil {
							t.Fatal(got)
						}
						p := f.lowered(t)
						for seed := range uint64(3) {
							if c := compare(t, f, p, Options{Delay: RandomDelays(seed, time.Millisecond)}, seed); !c.Within() {
								t.Errorf("seed %d: element %d is %v, want %v within %v", seed, c.Worst, c.Got, c.Reference, c.Tolerance)
							}
						}
					})
				}
			}
		}
	}
}

// Workspace is memory of a command, and no result of it.
func TestWorkspace(t *testing.T) {
	f := linearFixture(2, "f32", 4, 8, 4, true)
	f.workspace("mm.0", 0, 64)
	if got := judged(t, f); got != nil {
		t.Error(got)
	}
	if c := compare(t, f, f.lowered(t), Options{}, 1); !c.Within() {
		t.Errorf("element %d is %v, want %v within %v", c.Worst, c.Got, c.Reference, c.Tolerance)
	}
}

// Whatever the shapes and the degree, the ranks together compute the whole.
func TestAnyShape(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		ranks := rapid.Int64Range(1, 5).Draw(rt, "ranks")
		size := func(name string) int64 { return rapid.Int64Range(1, 9).Draw(rt, name) }
		dtype := rapid.SampledFrom([]string{"f64", "f32", "bf16", "f16"}).Draw(rt, "dtype")
		tokens := rapid.Bool().Draw(rt, "tokens")
		f := linearFixture(ranks, dtype, size("m"), ranks*size("n"), size("k"), tokens)
		if rapid.Bool().Draw(rt, "mlp") {
			f = mlpFixture(ranks, dtype, "model.gelu", size("m"), size("n"), ranks*size("hidden"), tokens)
		}
		seed := rapid.Uint64().Draw(rt, "seed")
		if c := compare(t, f, f.lowered(t), Options{Delay: RandomDelays(seed, 200*time.Microsecond)}, seed); !c.Within() {
			rt.Errorf("element %d is %v, want %v within %v", c.Worst, c.Got, c.Reference, c.Tolerance)
		}
	})
}

// A wait that is gone: the rules say which commands race, and a program that was
// lowered all the same reduces what is not there yet.
func TestWithoutAWait(t *testing.T) {
	f := linearFixture(2, "f32", 4, 8, 4, true)
	delete(f.find("sum.1"), "waits")
	want := []string{
		"token-never-waited: mm.1 signals token done.mm.1, for which nothing waits",
		"data-race: mm.1 and sum.1 both use buffer part.1, one of them writes it, and nothing orders them",
	}
	if diff := cmp.Diff(want, judged(t, f)); diff != "" {
		t.Error(diff)
	}
	if raceEnabled && os.Getenv("PLANCHECK_RACES") == "" { // the detector ends the process that it sees one in
		again := exec.Command(os.Args[0], "-test.run=^TestWithoutAWait$")
		again.Env = append(os.Environ(), "PLANCHECK_RACES=1")
		if out, err := again.CombinedOutput(); err == nil || !strings.Contains(string(out), "DATA RACE") {
			t.Errorf("the race detector saw nothing: %v\n%s", err, out)
		}
		return
	}
	late := func(x *machine.Instruction) time.Duration {
		if x.Command == "mm.1" {
			return 50 * time.Millisecond
		}
		return 0
	}
	if c := compare(t, f, f.lowered(t), Options{Delay: late}, 1); c.Within() {
		t.Error("the result is right although a rank reduced what it had not computed")
	}
}

// A buffer that was moved onto another one: the rules say so, and what is
// computed is wrong.
func TestMovedBuffer(t *testing.T) {
	f := linearFixture(2, "f32", 4, 8, 4, true)
	for _, b := range f.plan.Program.Buffers {
		if b["id"] == "w.0" {
			b["offset_bytes"] = 16
		}
	}
	want := []string{"buffer-overlap: buffer w.0 shares bytes with buffer x.0, whose life has not ended"}
	if diff := cmp.Diff(want, judged(t, f)); diff != "" {
		t.Error(diff)
	}
	if c := compare(t, f, f.lowered(t), Options{}, 1); c.Within() {
		t.Error("the result is right although x was overwritten")
	}
}

// A program that cannot go on says who waits for what.
func TestStuck(t *testing.T) {
	f := linearFixture(2, "f32", 4, 8, 4, true)
	delete(f.find("mm.1"), "signals")
	want := []string{"token-never-signaled: sum.1 waits for token done.mm.1, which nothing signals"}
	if diff := cmp.Diff(want, judged(t, f)); diff != "" {
		t.Error(diff)
	}
	p := f.lowered(t)
	_, err := Run(context.Background(), p, Options{Inputs: f.inputs(t, 1)})
	var stuck *Stuck
	if !errors.As(err, &stuck) {
		t.Fatal(err)
	}
	wants := []Waiter{
		{"collective0", instruction(p, "sum.0", machine.Call), "sum.0", "rank 1 in collective 0 of group tp, which command sum.1 brings about"},
		{"collective1", instruction(p, "sum.1", machine.Wait), "sum.1", "token done.mm.1, which nothing brings about"},
	}
	if diff := cmp.Diff(wants, stuck.Waits); diff != "" {
		t.Error(diff)
	}
	const told = "the program is stuck: " +
		"section collective0, at command sum.0, waits for rank 1 in collective 0 of group tp, which command sum.1 brings about; " +
		"section collective1, at command sum.1, waits for token done.mm.1, which nothing brings about"
	if diff := cmp.Diff(told, err.Error()); diff != "" {
		t.Error(diff)
	}
}

func instruction(p *machine.Program, command, opcode string) string {
	for _, s := range p.Sections {
		for _, x := range s.Instructions {
			if x.Command == command && x.Opcode.Name == opcode {
				return x.ID
			}
		}
	}
	return ""
}

func TestCancel(t *testing.T) {
	f := linearFixture(2, "f32", 4, 8, 4, true)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := Run(ctx, f.lowered(t), Options{Inputs: f.inputs(t, 1), Delay: func(*machine.Instruction) time.Duration { return time.Hour }})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
}

// What cannot be run is refused before anything is.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*machine.Program)
		want   string
	}{
		{"function", func(p *machine.Program) { p.Sections[0].Instructions[0].Function = "cublas.gemm" }, `function "cublas.gemm" is not known`},
		{"dialect", func(p *machine.Program) { p.Sections[0].Instructions[0].Opcode.Dialect = "cuda" }, "opcode cuda.call is not known"},
		{"opcode", func(p *machine.Program) { p.Sections[0].Instructions[0].Opcode.Name = "jump" }, "opcode machine.jump is not known"},
		{"arena", func(p *machine.Program) { p.Arenas[0].Bytes = 8 }, "lie outside arena hbm0 of 8 bytes"},
		{"shape", func(p *machine.Program) { p.Sections[0].Instructions[0].Operands[0].Shape = []int64{4, 3} }, "no product of shapes [4 3] and [4 4] has shape [4 4]"},
		{"large shape", func(p *machine.Program) { p.Sections[0].Instructions[0].Operands[0].Shape = []int64{1 << 40, 1 << 40} }, "has more than"},
		{"no shape", func(p *machine.Program) { p.Sections[0].Instructions[0].Operands[0].Shape = nil }, "buffer x.0 has no shape or no type"},
		{"signals", func(p *machine.Program) { p.Sections[1].Instructions[1].Token = "done.mm.0" }, "token done.mm.0 is brought about by command mm.0 too"},
		{"input", func(p *machine.Program) { p.Ports[0].Value = "z" }, "the program reads value z, which is not given"},
		{"input shape", func(p *machine.Program) { p.Ports[0].Whole = []int64{8, 4} }, "value x is given with shape [4 8], and the program reads it with shape [8 4]"},
		{"shape of a rank", func(p *machine.Program) {
			for i := range p.Sections[2].Instructions[1].Operands {
				p.Sections[2].Instructions[1].Operands[i].Shape = []int64{2, 8}
			}
		}, `it does all-reduce on shape [4 4], reduced by "sum", and command sum.0, which it meets, does all-reduce on shape [2 8], reduced by "sum"`},
		{"cut", func(p *machine.Program) { p.Sections[2].Instructions[1].Function = "reduce-scatter" }, "shape [4 4] is not cut along one axis into 2 parts of shape [4 4]"},
		{"collective", func(p *machine.Program) { p.Sections[2].Instructions[1].Function = "all-to-all" }, "this collective is not known"},
		{"reduction", func(p *machine.Program) { p.Sections[2].Instructions[1].Meeting.Reduction = "" }, "it does not say what it reduces by"},
		{"entry", func(p *machine.Program) { p.Entries[0].Section = "none" }, "is section none, which does not exist"},
	} {
		f := linearFixture(2, "f32", 4, 8, 4, true)
		p := f.lowered(t)
		c.change(p)
		if _, err := Run(context.Background(), p, Options{Inputs: f.inputs(t, 1)}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want %q", c.name, err, c.want)
		}
	}
}

// What two ranks get of what they give, on two axes.
func TestCollectives(t *testing.T) {
	one, two := []float64{1, 2, 3, 4}, []float64{10, 20, 30, 40}
	for _, c := range []struct {
		function, reduction string
		read, write         []int64
		want                [2][]float64
	}{
		{"all-reduce", "sum", []int64{2, 2}, []int64{2, 2}, [2][]float64{{11, 22, 33, 44}, {11, 22, 33, 44}}},
		{"all-reduce", "max", []int64{4}, []int64{4}, [2][]float64{{10, 20, 30, 40}, {10, 20, 30, 40}}},
		{"all-reduce", "min", []int64{4}, []int64{4}, [2][]float64{{1, 2, 3, 4}, {1, 2, 3, 4}}},
		{"all-reduce", "product", []int64{4}, []int64{4}, [2][]float64{{10, 40, 90, 160}, {10, 40, 90, 160}}},
		{"reduce-scatter", "sum", []int64{2, 2}, []int64{1, 2}, [2][]float64{{11, 22}, {33, 44}}},
		{"reduce-scatter", "sum", []int64{2, 2}, []int64{2, 1}, [2][]float64{{11, 33}, {22, 44}}},
		{"all-gather", "", []int64{2, 2}, []int64{4, 2}, [2][]float64{{1, 2, 3, 4, 10, 20, 30, 40}, {1, 2, 3, 4, 10, 20, 30, 40}}},
		{"all-gather", "", []int64{2, 2}, []int64{2, 4}, [2][]float64{{1, 2, 10, 20, 3, 4, 30, 40}, {1, 2, 10, 20, 3, 4, 30, 40}}},
	} {
		p := &machine.Program{Groups: []machine.Group{{ID: "g", Ranks: []int64{1, 0}}}}
		for rank, data := range [][]float64{one, two} {
			id := fmt.Sprint(rank)
			raw := make([]byte, 32)
			if err := tensor.Store("f64", raw, data); err != nil {
				t.Fatal(err)
			}
			p.Arenas = append(p.Arenas, machine.Arena{ID: id, Bytes: 128})
			p.Sections = append(p.Sections,
				machine.Section{ID: "data" + id, Kind: machine.Data, Blobs: []machine.Blob{{Arena: id, Hex: hex.EncodeToString(raw)}}},
				machine.Section{ID: id, Kind: machine.Code, Instructions: []machine.Instruction{{
					ID: id, Command: id, Opcode: machine.Opcode{Dialect: machine.Dialect, Name: machine.Call}, Function: c.function,
					Meeting: &machine.Meeting{Group: "g", Rank: int64(rank), Reduction: c.reduction},
					Operands: []machine.Operand{{Access: machine.Read, Arena: id, Bytes: 32, Shape: c.read, DType: "f64"},
						{Access: machine.Write, Arena: id, Offset: 64, Bytes: 64, Shape: c.write, DType: "f64"}}}}})
			p.Entries = append(p.Entries, machine.Entry{Name: id, Section: id})
		}
		m, err := Run(context.Background(), p, Options{Delay: RandomDelays(1, time.Millisecond)})
		if err != nil {
			t.Errorf("%s: %v", c.function, err)
			continue
		}
		for rank, want := range c.want {
			raw, err := m.Bytes(fmt.Sprint(rank), 64, int64(8*len(want)))
			if err != nil {
				t.Fatal(err)
			}
			got, err := tensor.Load("f64", raw, int64(len(want)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s of %v to %v on rank %d (-want +got):\n%s", c.function, c.read, c.write, rank, diff)
			}
		}
	}
}

// A sum of any number of operands is made in 64 bits and rounded once: by rounding
// after each step 256 + 1 + 1 would stay 256 in bf16.
func TestSum(t *testing.T) {
	const size = 4 // two elements
	for _, c := range []struct {
		name    string
		given   [][]float64
		shape   []int64 // of the last operand that is read
		want    []float64
		refused string
	}{
		{"one", [][]float64{{1, 2}}, []int64{2}, []float64{1, 2}, ""},
		{"three", [][]float64{{256, 1}, {1, 2}, {1, 4}}, []int64{2}, []float64{258, 7}, ""},
		{"no operand", nil, nil, nil, "sum reads 1 operands and writes 1, not 0 and 1"},
		{"another shape", [][]float64{{1, 2}, {3, 4}}, []int64{2, 1}, nil, "shape [2 1] does not become shape [2]"},
	} {
		p := &machine.Program{Arenas: []machine.Arena{{ID: "m", Bytes: 64}}, Entries: []machine.Entry{{Name: "q", Section: "q"}}}
		x := machine.Instruction{ID: "x", Command: "x", Opcode: machine.Opcode{Dialect: machine.Dialect, Name: machine.Call}, Function: "sum"}
		data := machine.Section{ID: "data", Kind: machine.Data}
		for i, values := range c.given {
			raw := make([]byte, size)
			if err := tensor.Store("bf16", raw, values); err != nil {
				t.Fatal(err)
			}
			o := machine.Operand{Access: machine.Read, Arena: "m", Offset: int64(size * i), Bytes: size, Shape: []int64{2}, DType: "bf16"}
			if i == len(c.given)-1 {
				o.Shape = c.shape
			}
			x.Operands = append(x.Operands, o)
			data.Blobs = append(data.Blobs, machine.Blob{Arena: "m", Offset: o.Offset, Hex: hex.EncodeToString(raw)})
		}
		x.Operands = append(x.Operands, machine.Operand{Access: machine.Write, Arena: "m", Offset: 32, Bytes: size, Shape: []int64{2}, DType: "bf16"})
		p.Sections = []machine.Section{data, {ID: "q", Kind: machine.Code, Instructions: []machine.Instruction{x}}}
		m, err := Run(context.Background(), p, Options{})
		if c.refused != "" {
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s: %v, want %s", c.name, err, c.refused)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		raw, err := m.Bytes("m", 32, size)
		if err != nil {
			t.Fatal(err)
		}
		got, err := tensor.Load("bf16", raw, 2)
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s (-want +got):\n%s%v", c.name, diff, err)
		}
	}
}

// Messages, barriers, copies and data, by bytes.
func TestMessagesBarriersAndCopies(t *testing.T) {
	for _, depth := range []int64{0, 1, 2} {
		p := pipes(depth)
		for seed := range uint64(5) {
			m, err := Run(context.Background(), p, Options{Delay: RandomDelays(seed, 2*time.Millisecond)})
			if err != nil {
				t.Fatalf("depth %d: %v", depth, err)
			}
			got, err := m.Bytes("b", 0, 12)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]byte("abcdefghabcd"), got); diff != "" {
				t.Errorf("depth %d, seed %d: %s", depth, seed, diff)
			}
		}
	}
}

// pipes sends two messages of four bytes from arena a to b, one after the other
// through the same bytes of a, and copies the first one within b behind a barrier.
func pipes(depth int64) *machine.Program {
	use := func(access, arena string, offset int64) machine.Operand {
		return machine.Operand{Access: access, Buffer: fmt.Sprint(arena, offset), Arena: arena, Offset: offset, Bytes: 4}
	}
	make := func(id, opcode string, operands ...machine.Operand) machine.Instruction {
		return machine.Instruction{ID: id, Command: id, Opcode: machine.Opcode{Dialect: machine.Dialect, Name: opcode}, Operands: operands}
	}
	message := func(x machine.Instruction, round int64) machine.Instruction {
		x.Message = &machine.Message{Channel: "c", Round: round}
		return x
	}
	arrive := func(id string) machine.Instruction {
		x := make(id, machine.Arrive)
		x.Arrival = &machine.Arrival{Barrier: "all"}
		return x
	}
	return &machine.Program{
		Header: level.Header{Schema: machine.Schema}, Plugin: "virtual", ABI: "virtual/1", Emitter: "by hand", Format: "json",
		Arenas: []machine.Arena{{ID: "a", Bytes: 16}, {ID: "b", Bytes: 1 << 40}}, Channels: []machine.Channel{{ID: "c", Depth: depth}},
		Barriers: []machine.Barrier{{ID: "all", Queues: []string{"p", "q", "r"}}},
		Sections: []machine.Section{
			{ID: "p", Kind: machine.Code, Queue: "p", Instructions: []machine.Instruction{
				message(make("s0", machine.Send, use("read", "a", 0)), 0), make("next", machine.Copy, use("read", "a", 4), use("write", "a", 0)),
				message(make("s1", machine.Send, use("read", "a", 0)), 1), arrive("p")}},
			{ID: "q", Kind: machine.Code, Queue: "q", Instructions: []machine.Instruction{
				message(make("r0", machine.Recv, use("write", "b", 0)), 0), message(make("r1", machine.Recv, use("write", "b", 4)), 1), arrive("q")}},
			{ID: "r", Kind: machine.Code, Queue: "r", Instructions: []machine.Instruction{
				arrive("r"), make("copy", machine.Copy, use("read", "b", 0), use("write", "b", 8))}},
			{ID: "init", Kind: machine.Data, Blobs: []machine.Blob{{Arena: "a", Hex: "6162636465666768"}}},
		},
		Entries: []machine.Entry{{Name: "p", Section: "p"}, {Name: "q", Section: "q"}, {Name: "r", Section: "r"}},
	}
}
