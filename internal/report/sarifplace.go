package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
	"plancheck/rules"
)

const (
	srcRoot    = "%SRCROOT%"
	sarifSteps = 100 // of a proof: GitHub shows no more than 1,000
)

// sarifPlaceOf is the place of a position. One without a line is about the
// whole file; GitHub shows it only when it has a line, so it gets the first.
func sarifPlaceOf(p diag.Position) *sarifPlace {
	line, column := max(p.Line, 1), max(p.Column, 1)
	return &sarifPlace{
		ArtifactLocation: artifactOf(p.File),
		Region:           sarifRegion{line, column, line, column + 1},
	}
}

// artifactOf names a file by a URI. Relative names are relative to the root of
// the repository, which GitHub knows; names that lead out of it have no base.
func artifactOf(name string) sarifArtifact {
	if name == "-" || name == "" {
		name = "stdin"
	}
	if len(name) > 2 && name[1] == ':' && (name[2] == '\\' || name[2] == '/') { // C:\plans
		return sarifArtifact{URI: "file:///" + name[:2] + percent(strings.ReplaceAll(name[2:], `\`, "/"))}
	}
	name = path.Clean(name)
	switch {
	case strings.HasPrefix(name, "/"):
		return sarifArtifact{URI: "file://" + percent(name)}
	case name == ".." || strings.HasPrefix(name, "../"):
		return sarifArtifact{URI: percent(name)}
	}
	return sarifArtifact{URI: percent(name), URIBaseID: srcRoot}
}

// percent escapes every byte of a path that RFC 3986 does not leave unreserved
// but the slash. A colon too: in front of the first slash it would be a scheme.
func percent(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~/", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// sarifFlow shows a proof as a path through the file that ends at the finding.
// GitHub unfolds code flows step by step ("show paths"), whereas it links to
// related locations only from the text of the message, which is plain here.
// Steps are the nodes of the proof that have a place in a file of the
// repository: facts of the document, and the rules of rule files on disk. A
// built-in rule file has no address there, and an address with a scheme other
// than the root's makes GitHub refuse the whole upload.
func sarifFlow(d diag.Diagnostic, syms *symbol.Table) []sarifCodeFlow {
	if d.Proof == nil {
		return nil
	}
	f := &sarifProof{t: &proofText{syms: syms}}
	if len(d.Steps) > 0 {
		f.told(d)
		return f.flow(d)
	}
	for _, p := range d.Proof.Premises {
		f.node(p, 0)
	}
	for _, row := range d.Proof.Rows {
		f.row(row, 0)
	}
	return f.flow(d)
}

// flow ends the steps with the finding.
func (f *sarifProof) flow(d diag.Diagnostic) []sarifCodeFlow {
	if f.more {
		f.steps = append(f.steps, sarifStep{Location: sarifLocation{
			PhysicalLocation: sarifPlaceOf(d.Pos), Message: &sarifText{"... and more; the json report has the whole proof"}}})
	}
	f.steps = append(f.steps, sarifStep{Location: sarifLocation{
		PhysicalLocation: sarifPlaceOf(d.Pos), Message: &sarifText{plainText(d.Message)}}})
	return []sarifCodeFlow{{[]sarifThread{{f.steps}}}}
}

// sarifProof gathers the steps of one proof.
type sarifProof struct {
	t     *proofText
	steps []sarifStep
	more  bool
}

// told shows a finding's own steps, which say more than the proof that they are
// taken from: each at its first place. One without a place stands at the finding.
func (f *sarifProof) told(d diag.Diagnostic) {
	f.more = len(d.Steps) > sarifSteps || d.StepsLeftOut > 0
	for _, s := range d.Steps[:min(len(d.Steps), sarifSteps)] {
		at := d.Pos
		if len(s.At) > 0 {
			at = s.At[0]
		}
		f.steps = append(f.steps, sarifStep{Location: sarifLocation{
			PhysicalLocation: sarifPlaceOf(at), Message: &sarifText{plainText(s.Text)}}})
	}
}

func (f *sarifProof) node(p *diag.Proof, depth int) {
	if len(f.steps) >= sarifSteps {
		f.more = true
		return
	}
	switch p.Kind {
	case diag.Fact:
		f.add(p.Pos, depth, f.t.atom(p))
	case diag.Absent:
		f.add(p.Pos, depth, "no such fact: "+f.t.atom(p))
	case diag.Holds:
		f.add(p.Pos, depth, printable(p.Text))
	case diag.ByRule, diag.ByAggregate:
		for _, premise := range p.Premises {
			f.node(premise, depth+1)
		}
		for _, row := range p.Rows {
			f.row(row, depth+1)
		}
		text := f.t.atom(p)
		if p.Kind == diag.ByAggregate {
			text += ": " + strings.TrimSuffix(aggregateTitle(p), ":")
		}
		f.add(p.Pos, depth, text)
	}
}

func (f *sarifProof) row(row *diag.Proof, depth int) {
	for _, premise := range row.Premises {
		f.node(premise, depth)
	}
}

func (f *sarifProof) add(p diag.Position, depth int, text string) {
	if p.Line == 0 || strings.HasPrefix(p.File, rules.Builtin+":") {
		return
	}
	f.steps = append(f.steps, sarifStep{
		Location:     sarifLocation{PhysicalLocation: sarifPlaceOf(p), Message: &sarifText{plainText(text)}},
		NestingLevel: depth,
	})
}

// digestOf names something by its parts.
func digestOf(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return hex.EncodeToString(sum[:16])
}

// markdownText escapes what Markdown or HTML would take for its own.
func markdownText(s string) string {
	var b strings.Builder
	for _, r := range printable(s) {
		if strings.ContainsRune("\\`*_{}[]<>#|~&!", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// cutTo shortens a text to a number of characters.
func cutTo(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-len(cutMark)]) + cutMark
	}
	return s
}
