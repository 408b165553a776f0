package execute

import (
	"bytes"
	"context"
	"testing"
	"time"

	"pgregory.net/rapid"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/ir/levels"
	"plancheck/ir/machine"
)

// Whatever a document says, running it ends: with memory, or with an error.
func TestAnyDocumentEnds(t *testing.T) {
	f := mlpFixture(2, "f32", "model.gelu", 2, 4, 8, true)
	texts := [][]byte{levels.Encode(f.lowered(t)), levels.Encode(pipes(0)), levels.Encode(pipes(2))}
	inputs := f.inputs(t, 1)
	rapid.Check(t, func(t *rapid.T) {
		text := bytes.Clone(rapid.SampledFrom(texts).Draw(t, "text"))
		for range rapid.IntRange(1, 3).Draw(t, "changes") { // a digit for another one, or a word
			var digits []int
			for i, b := range text {
				if b >= '0' && b <= '9' {
					digits = append(digits, i)
				}
			}
			text[rapid.SampledFrom(digits).Draw(t, "at")] = rapid.SampledFrom([]byte("0123456789")).Draw(t, "digit")
			words := []string{"call", "copy", "send", "recv", "wait", "signal", "barrier", "read", "write"}
			if rapid.Bool().Draw(t, "word") {
				from, to := rapid.SampledFrom(words).Draw(t, "from"), rapid.SampledFrom(words).Draw(t, "to")
				text = bytes.Replace(text, []byte(`"`+from+`"`), []byte(`"`+to+`"`), rapid.IntRange(0, 2).Draw(t, "times"))
			}
		}
		doc, diags := facts.Decode(diag.NewSource("machine.json", text))
		if doc == nil {
			if len(diags) == 0 {
				t.Fatal("no document and no errors")
			}
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		memory, err := Run(ctx, doc.Body().(*machine.Program), Options{Inputs: inputs})
		if ctx.Err() != nil {
			t.Fatal("it does not end")
		}
		if err == nil {
			_, _, err = memory.Outputs() // which may differ
		}
		if err != nil && err.Error() == "" {
			t.Fatal("an error without words")
		}
	})
}
