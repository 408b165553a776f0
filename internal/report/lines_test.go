package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGitHubEscaping(t *testing.T) {
	for _, test := range []struct{ text, data, property string }{
		{"plain", "plain", "plain"},
		{"50% of a,b:c", "50%25 of a,b:c", "50%25 of a%2Cb%3Ac"},
		{"%0A\r\n", "%250A%0D%0A", "%250A%0D%0A"},
	} {
		if got := githubData(test.text); got != test.data {
			t.Errorf("data %q: %q, want %q", test.text, got, test.data)
		}
		if got := githubProperty(test.text); got != test.property {
			t.Errorf("property %q: %q, want %q", test.text, got, test.property)
		}
	}
}

// Whatever a plan says, each line is one command of ours.
func TestGitHubCommands(t *testing.T) {
	for name, run := range runs() {
		var out bytes.Buffer
		if err := writeGitHub(&out, run, Options{}); err != nil {
			t.Fatal(err)
		}
		text := strings.TrimSuffix(out.String(), "\n")
		want := 1 // the closing notice
		for _, d := range run.Documents {
			want += len(d.Errors)
			if d.Verdict != nil {
				want += len(stories(d.Verdict.Findings))
			}
		}
		want += len(run.RuleDiags)
		lines := strings.Split(text, "\n")
		if len(lines) != want {
			t.Errorf("%s: %d lines, want %d", name, len(lines), want)
		}
		for _, line := range lines {
			if !strings.HasPrefix(line, "::error ") && !strings.HasPrefix(line, "::warning ") && !strings.HasPrefix(line, "::notice ") {
				t.Errorf("%s: %q is no command", name, line)
			}
			if strings.ContainsAny(line, "\r\x00\x1b") {
				t.Errorf("%s: %q has control characters", name, line)
			}
		}
	}
}

// Every character that can come from a user survives or is replaced, and the
// reader gets back what XML can hold.
func TestXMLText(t *testing.T) {
	in := "a<b>&\"'\t\n" + hostile + "\ufffe\uffff\x0b\xff漢\U0001f600"
	want := strings.Map(func(r rune) rune {
		if r == 0 || r == 0x1b || r == 0xfffe || r == 0xffff || r == 0x0b {
			return 0xfffd
		}
		return r
	}, in)
	var got struct {
		Attr string `xml:"a,attr"`
		Text string `xml:",chardata"`
	}
	if err := xml.Unmarshal([]byte(`<x a="`+strings.ReplaceAll(xmlText(in), "\n", "&#10;")+`">`+xmlText(in)+`</x>`), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.Text); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, got.Attr); diff != "" {
		t.Error(diff)
	}
}

// junitDocument is as much of the format as CI servers read.
type junitDocument struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
	Suites   []struct {
		Name  string `xml:"name,attr"`
		Cases []struct {
			Name    string    `xml:"name,attr"`
			Failure *struct{} `xml:"failure"`
			Error   *struct{} `xml:"error"`
			Skipped *struct{} `xml:"skipped"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

func TestJUnitCounts(t *testing.T) {
	for name, run := range runs() {
		var out bytes.Buffer
		if err := writeJUnit(&out, run, Options{}); err != nil {
			t.Fatal(err)
		}
		var doc junitDocument
		if err := xml.Unmarshal(out.Bytes(), &doc); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		dec := xml.NewDecoder(&out)
		for {
			if _, err := dec.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		var tests, failures, broken, skipped int
		for _, s := range doc.Suites {
			for _, c := range s.Cases {
				tests++
				failures += count(c.Failure)
				broken += count(c.Error)
				skipped += count(c.Skipped)
			}
		}
		want := [4]int{doc.Tests, doc.Failures, doc.Errors, doc.Skipped}
		if got := [4]int{tests, failures, broken, skipped}; got != want {
			t.Errorf("%s: cases %v, but the document says %v", name, got, want)
		}
		if (failures > 0) != (run.Exit == 1) && name != "oneline" && name != "weights" && name != "long" {
			t.Errorf("%s: %d failures with exit code %d", name, failures, run.Exit)
		}
		if (broken > 0) != (run.Exit == 2) {
			t.Errorf("%s: %d errors with exit code %d", name, broken, run.Exit)
		}
	}
}

func count(p *struct{}) int {
	if p == nil {
		return 0
	}
	return 1
}
