package dnn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"plancheck/internal/search/partition"
)

// confirm has cadical refute the formula of a certificate that nothing is better
// than value, and its proof held against the formula: always by checkRUP, and by
// drat-trim too where that is installed.
func confirm(t *testing.T, p *partition.Problem, value int64) {
	t.Helper()
	cadical, err := exec.LookPath("cadical")
	if err != nil {
		t.Skip("cadical is not installed, and it is cadical's proof that is checked here")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	c, better, err := partition.Certify(ctx, p, value-1)
	if err != nil || c == nil {
		t.Fatalf("no certificate below %d: better %v, %v", value, better, err)
	}
	if err := c.Check(p); err != nil {
		t.Fatal(err)
	}
	var formula bytes.Buffer
	if err := c.WriteDIMACS(&formula, p); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	cnf, drat := filepath.Join(folder, "f.cnf"), filepath.Join(folder, "f.drat")
	if err := os.WriteFile(cnf, formula.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	started := time.Now()
	out, err := exec.CommandContext(ctx, cadical, "-q", "--no-binary", cnf, drat).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 20 {
		t.Fatalf("cadical does not say that it is unsatisfiable: %v\n%s", err, out)
	}
	solved := time.Since(started)
	proof, err := os.ReadFile(drat)
	if err != nil {
		t.Fatal(err)
	}
	started = time.Now()
	steps, err := checkRUP(formula.Bytes(), proof)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d covers; cadical %.2f s; %d proof clauses checked in %.2f s", len(c.Covers), solved.Seconds(), steps, time.Since(started).Seconds())
	if _, err := exec.LookPath("drat-trim"); err != nil {
		t.Log("drat-trim is not installed; the checker of this test has confirmed the proof alone")
		return
	}
	out, err = exec.CommandContext(ctx, "drat-trim", cnf, drat).CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("s VERIFIED")) {
		t.Fatalf("drat-trim: %v\n%s", err, out)
	}
}

// TestSmallOptimaAreConfirmed needs no public data.
func TestSmallOptimaAreConfirmed(t *testing.T) {
	var edges []partition.Edge
	for i := 1; i < 10; i++ {
		edges = append(edges, partition.Edge{From: i - 1, To: i, Far: true})
		if i > 3 {
			edges = append(edges, partition.Edge{From: i - 4, To: i, Far: i%2 == 0})
		}
	}
	work := []int64{7, 3, 9, 4, 8, 2, 6, 5, 9, 4}
	carry := []int64{2, 1, 3, 1, 2, 1, 1, 2, 1, 1}
	var uses [][]partition.Use
	room := []int64{0}
	for o := range work {
		uses = append(uses, []partition.Use{{Weight: o, Bytes: 3}, {Weight: 20 + o%2, Bytes: 2}})
	}
	for n := range int64(9) {
		room = append(room, (n+1)*5)
	}
	for _, c := range []struct {
		name  string
		cores *partition.Cores
	}{
		{"one core each", nil},
		{"nine cores to share out", &partition.Cores{Total: 9}},
		{"given sizes", &partition.Cores{Total: 9, Sizes: []partition.Range{{Lo: 4, Hi: 4}, {Lo: 2, Hi: 2}, {Lo: 3, Hi: 3}}}},
		{"memory", &partition.Cores{Total: 9, Uses: uses, Room: room}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &partition.Problem{Stages: 3, Work: work, Carry: carry, Edges: edges, Cores: c.cores}
			r, err := partition.Solve(t.Context(), p, partition.Options{})
			if err != nil || r.Status != partition.Optimal {
				t.Fatalf("%+v, %v", r, err)
			}
			confirm(t, p, r.Value)
		})
	}
}

// TestRealOptimaAreConfirmed states the values, most of them known from others.
func TestRealOptimaAreConfirmed(t *testing.T) {
	f := folder(t)
	for _, c := range []struct {
		graph   string
		stages  int
		forward bool
		cores   int
		value   int64
	}{
		{"layer_bert24_inference", 4, false, 0, 93441},
		{"layer_bert24_inference", 8, true, 0, 30734},
		{"layer_resnet50_inference", 4, false, 0, 50577},
		{"layer_resnet50_inference", 8, false, 0, 26307},
		{"operator_bert_l-3_inference", 8, false, 0, 52610},
		{"operator_bert_l-3_inference", 8, true, 0, 47350},
		{"operator_resnet50_inference", 8, true, 0, 25388},
		{"operator_bert_l-6_inference", 8, true, 0, 35945},
		{"layer_resnet50_inference", 8, false, 64, 3132},
		{"operator_bert_l-12_inference", 4, false, 64, 3167},
	} {
		t.Run(fmt.Sprintf("%s in %d, forward %v, %d cores", c.graph, c.stages, c.forward, c.cores), func(t *testing.T) {
			g, err := Load(f, c.graph)
			if err != nil {
				t.Fatal(err)
			}
			p := g.Problem(c.stages, c.forward)
			if c.cores > 0 {
				p.Cores = &partition.Cores{Total: c.cores}
			}
			confirm(t, p, c.value)
		})
	}
}
