package example

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The parameter counts are those of the published models, tied weights counted
// once; the multiply-accumulates are worked out in TestMACsByHand.
func TestPublishedCounts(t *testing.T) {
	type counts struct {
		Params, MACs         int64
		Nodes, Inputs, Edges int
	}
	want := map[string]counts{
		"resnet50":  {25_557_032, 3_857_973_248, 174, 1, 189},
		"bert-base": {109_482_240, 11_174_215_680, 176, 4, 234},
		"gpt2":      {124_439_808, 145_824_153_600, 173, 3, 220},
	}
	got := map[string]counts{}
	for _, m := range models() {
		net := m.layers()
		c := counts{Nodes: len(net.nodes), Inputs: len(net.inputs)}
		seen := map[string]bool{}
		for _, n := range net.nodes {
			c.MACs += n.macs
			c.Edges += len(n.from)
			for _, w := range n.weights {
				if !seen[w.id] {
					seen[w.id] = true
					c.Params += w.params
				}
			}
		}
		got[m.name] = c
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestMACsByHand adds up the multiply-accumulates from the layers' sizes
// alone, without the builder.
func TestMACsByHand(t *testing.T) {
	// He et al., table 1: each row is a stage of blocks; the 1 x 1 convolution
	// that comes first already works at the row's resolution.
	resnet := int64(7*7*3*64*112*112 + 2048*1000)
	in := int64(64)
	for _, row := range []struct{ blocks, width, side int64 }{{3, 64, 56}, {4, 128, 28}, {6, 256, 14}, {3, 512, 7}} {
		pixels, w := row.side*row.side, row.width
		resnet += pixels * in * 4 * w // projection
		for range row.blocks {
			resnet += pixels * (in*w + 9*w*w + 4*w*w)
			in = 4 * w
		}
	}
	block := func(tokens int64) int64 {
		return tokens*(4*768*768+2*768*3072) + 2*tokens*tokens*768
	}
	for name, want := range map[string]int64{
		"resnet50":  resnet,
		"bert-base": 12*block(128) + 768*768,
		"gpt2":      12*block(1024) + 1024*768*50257,
	} {
		m, err := find(name)
		if err != nil {
			t.Fatal(err)
		}
		var got int64
		for _, n := range m.layers().nodes {
			got += n.macs
		}
		if got != want {
			t.Errorf("%s: %d multiply-accumulates, want %d", name, got, want)
		}
	}
}

func TestNetworksAreWellFormed(t *testing.T) {
	for _, m := range models() {
		net := m.layers()
		ids := map[string]bool{}
		for i, n := range net.nodes {
			if ids[n.id] {
				t.Errorf("%s: two ops %s", m.name, n.id)
			}
			ids[n.id] = true
			if n.outBytes <= 0 || n.macs+n.elementOps <= 0 {
				t.Errorf("%s: %s makes nothing or does nothing: %+v", m.name, n.id, n)
			}
			for _, from := range n.from {
				if int(from) >= i {
					t.Errorf("%s: %s reads a later op", m.name, n.id)
				}
			}
			for _, lanes := range n.laneChoices {
				for _, w := range n.weights {
					if w.params%lanes != 0 {
						t.Errorf("%s: %d lanes do not share out %s evenly", m.name, lanes, w.id)
					}
				}
			}
		}
		for _, in := range net.inputs {
			if ids[in.id] {
				t.Errorf("%s: input and op share the id %s", m.name, in.id)
			}
			if len(in.readers) == 0 {
				t.Errorf("%s: nothing reads %s", m.name, in.id)
			}
		}
	}
}
