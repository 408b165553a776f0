package example

import "fmt"

// bertBase is the encoder of BERT-base with its pooler (Devlin et al. 2018: 12
// layers, hidden size 768, 12 heads, 30,522 word pieces, 512 positions, 2
// segments) for one sequence of 128 tokens. Norms follow the residual sums.
//
// The attention mask is a dynamic input. One op of stage 0 turns it into the
// bias that the softmax of every layer adds, so its value lives as long as the
// network and is carried from stage to stage by forwards. Position ids are
// always 0 to 127, a static input.
func bertBase() *network {
	t := &transformer{net: network{paramBytes: bf16}, sequence: 128}
	s := t.sequence

	words := t.lookup("embeddings.word", 30522)
	segments := t.lookup("embeddings.segment", 2)
	mask := t.net.add(node{id: "mask", kind: "mask", elementOps: s, outBytes: s * bf16})
	positions := t.lookup("embeddings.position", 512)
	const idBytes = 4
	t.net.feed("token_ids", true, s*idBytes, words)
	t.net.feed("segment_ids", true, s*idBytes, segments)
	t.net.feed("attention_mask", true, s*idBytes, mask)
	t.net.feed("position_ids", false, s*idBytes, positions)

	x := t.norm("embeddings.norm",
		t.elementwise("embeddings.add", "add", s, hidden, 2*addOps, words, segments, positions))
	for i := range layers {
		id := fmt.Sprintf("layer.%d", i)
		a, _ := t.attention(id+".attention", x, mask)
		x = t.norm(id+".attention.norm", t.residual(id+".attention.add", a, x))
		f := t.feedForward(id+".ffn.up", id+".ffn.gelu", id+".ffn.down", x)
		x = t.norm(id+".ffn.norm", t.residual(id+".ffn.add", f, x))
	}
	// The pooler reads the first token only.
	pooled := t.linear("pooler.dense", 1, hidden, hidden, x)
	t.elementwise("pooler.tanh", "tanh", 1, hidden, tanhOps, pooled)
	return &t.net
}
