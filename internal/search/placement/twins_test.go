package placement

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestClasses(t *testing.T) {
	any := []bool{true, true, true, true, true, true}
	tests := []struct {
		name string
		p    Problem
		want []int
	}{
		{"no flows", Problem{Cores: 3}, []int{0, 0, 0, 0, 0, 0}},
		{"stages", Problem{Cores: 6, Flows: pipeline([]int{2, 3, 1})}, []int{0, 0, 1, 1, 1, 2}},
		{"a pair with flow both ways", Problem{Cores: 6, Flows: []Flow{{0, 1, 2}, {1, 0, 2}}}, []int{0, 0, 1, 1, 1, 1}},
		{"a pair with more flow one way", Problem{Cores: 6, Flows: []Flow{{0, 1, 2}, {1, 0, 3}}}, []int{0, 1, 2, 2, 2, 2}},
		{"a flow only one way", Problem{Cores: 2, Flows: []Flow{{1, 0, 3}}}, []int{0, 1, 2, 2, 2, 2}},
		{"a flow to itself", Problem{Cores: 6, Flows: []Flow{{1, 1, 3}}}, []int{0, 1, 0, 0, 0, 0}},
		{"the same flow to different ones", Problem{Cores: 6, Flows: []Flow{{0, 2, 1}, {1, 3, 1}}}, []int{0, 1, 2, 3, 4, 4}},
		{"a pin", Problem{Cores: 6, Pins: []int{Free, 1, Free, Free, Free, Free}}, []int{0, 1, 0, 0, 0, 0}},
		{"allowed places", Problem{Cores: 6, Allowed: [][]bool{nil, any, {true, true, true, true, true, false}, nil, nil, nil}}, []int{0, 0, 1, 0, 0, 0}},
	}
	for _, test := range tests {
		test.p.Hops = mesh(2, 3)
		w, err := compile(&test.p)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if diff := cmp.Diff(test.want, w.class); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestOrbits(t *testing.T) {
	skew := mesh(2, 2)
	skew[0][1]++
	tests := []struct {
		name string
		p    Problem
		want []int
	}{
		{"a square mesh", Problem{Hops: mesh(3, 3)}, []int{0, 1, 0, 1, 4, 1, 0, 1, 0}},
		{"a long mesh", Problem{Hops: mesh(2, 3)}, []int{0, 1, 0, 0, 1, 0}},
		{"a way that is longer", Problem{Hops: skew}, []int{0, 1, 2, 3}},
		{"a pin", Problem{Cores: 1, Hops: mesh(3, 3), Pins: []int{1}}, []int{0, 1, 0, 3, 4, 3, 6, 7, 6}},
	}
	for _, test := range tests {
		w, err := compile(&test.p)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if diff := cmp.Diff(test.want, w.orbits()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
