package example

import "fmt"

const (
	// gpt2Vocabulary is 29 x 1733 tokens: 29 lanes hold equal shares of the rows.
	gpt2Vocabulary = 50257
	gpt2Rows       = 29
)

// gpt2 is the smallest model of Radford et al. 2019 (12 layers, hidden size
// 768, 50,257 tokens, 1,024 positions; 12 heads as in the released weights) for
// one sequence of full length. Norms come before the sublayers.
//
// The token embedding is also the matrix of the language-model head: one
// weight, used by an op of the first stage and one of the last, and resident in
// both. Both ops share out its rows over 29 lanes. The causal mask and the
// position ids never change: static inputs, which any stage may read.
func gpt2() *network {
	t := &transformer{net: network{paramBytes: bf16}, sequence: 1024}
	s := t.sequence
	tied := []weight{{"wte.weight", gpt2Vocabulary * hidden}}

	tokens := t.net.add(node{
		id: "wte", kind: "gather", laneChoices: []int64{gpt2Rows},
		elementOps: s * hidden, weights: tied, outBytes: s * hidden * bf16,
	})
	positions := t.lookup("wpe", 1024)
	x := t.residual("embed.add", tokens, positions)
	var masked []ref
	for i := range layers {
		id := fmt.Sprintf("h.%d", i)
		a, softmax := t.attention(id+".attn", t.norm(id+".ln_1", x))
		masked = append(masked, softmax)
		x = t.residual(id+".attn.add", a, x)
		f := t.feedForward(id+".mlp.up", id+".mlp.gelu", id+".mlp.down", t.norm(id+".ln_2", x))
		x = t.residual(id+".mlp.add", f, x)
	}
	x = t.norm("ln_f", x)
	t.net.add(node{
		id: "lm_head", kind: "linear", laneChoices: []int64{gpt2Rows},
		macs: s * hidden * gpt2Vocabulary, weights: tied, outBytes: s * gpt2Vocabulary * bf16,
	}, x)

	const idBytes, maskBytes = 4, 1
	t.net.feed("token_ids", true, s*idBytes, tokens)
	t.net.feed("position_ids", false, s*idBytes, positions)
	t.net.feed("causal_mask", false, s*s*maskBytes, masked...)
	return &t.net
}
