package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
	"plancheck/rules"
)

// sarifObject is what the public schema demands of an object, as far as a
// report may use it: which properties it may have and what they are, and which
// it must have. Every object of the schema is closed but property bags.
// Source: sarif-schema-2.1.0.json of the OASIS SARIF committee, definitions;
// with an exclamation mark what GitHub demands beyond it ("SARIF support for
// code scanning", required properties).
type sarifObject map[string]string

var sarifObjects = map[string]sarifObject{
	"sarifLog":      {"$schema!": "uri", "version!": "=2.1.0", "runs!": "[run"},
	"run":           {"tool!": "tool", "invocations": "[invocation", "columnKind": "=utf16CodeUnits|unicodeCodePoints", "originalUriBaseIds": "{artifactLocation", "results!": "[result", "properties": "runBag"},
	"runBag":        {"known!": "int", "suppressed!": "int"},
	"tool":          {"driver!": "toolComponent"},
	"toolComponent": {"name!": "text", "semanticVersion": "text", "version": "text", "rules!": "[reportingDescriptor"},
	"reportingDescriptor": {"id!": "text", "name": "text", "shortDescription!": "multiformat", "fullDescription!": "multiformat", "help!": "multiformat",
		"defaultConfiguration": "reportingConfiguration", "properties": "ruleBag"},
	"reportingConfiguration": {"level": "=none|note|warning|error"},
	"ruleBag":                {"tags": "[text", "precision": "=very-high|high|medium|low", "problem.severity": "=error|warning|recommendation"},
	"multiformat":            {"text!": "text", "markdown": "text"},
	"invocation":             {"executionSuccessful!": "bool", "exitCode": "int", "toolExecutionNotifications": "[notification", "toolConfigurationNotifications": "[notification"},
	"notification":           {"level": "=none|note|warning|error", "message!": "message"},
	"message":                {"text!": "text"},
	"result": {"ruleId!": "text", "ruleIndex!": "int", "level!": "=note|warning|error", "message!": "message", "locations!": "[location",
		"partialFingerprints!": "{text", "codeFlows": "[codeFlow", "properties": "resultBag"},
	"resultBag":          {"pointer": "text", "story": "text"},
	"location":           {"physicalLocation!": "physicalLocation", "message": "message"},
	"physicalLocation":   {"artifactLocation!": "artifactLocation", "region!": "region"},
	"artifactLocation":   {"uri": "uri", "uriBaseId": "text", "description": "message"},
	"region":             {"startLine!": "count", "startColumn!": "count", "endLine!": "count", "endColumn!": "count"},
	"codeFlow":           {"threadFlows!": "[threadFlow"},
	"threadFlow":         {"locations!": "[threadFlowLocation"},
	"threadFlowLocation": {"location!": "location", "nestingLevel": "int"},
}

// checkSARIF holds a value against a kind and returns what is wrong.
func checkSARIF(at, kind string, v any) (wrong []string) {
	fail := func(format string, args ...any) { wrong = append(wrong, at+": "+fmt.Sprintf(format, args...)) }
	number := func(least float64) {
		if n, ok := v.(float64); !ok || n < least || n != float64(int64(n)) {
			fail("%v is no integer from %v on", v, least)
		}
	}
	switch {
	case kind == "text":
		if s, ok := v.(string); !ok || s == "" {
			fail("%v is no text", v)
		}
	case kind == "bool":
		if _, ok := v.(bool); !ok {
			fail("%v is not true or false", v)
		}
	case kind == "int":
		number(0)
	case kind == "count":
		number(1)
	case kind == "uri":
		s, _ := v.(string)
		if _, err := url.Parse(s); err != nil || s == "" || strings.ContainsAny(s, " \"<>\\^`{|}") {
			fail("%q is no URI reference: %v", v, err)
		}
	case kind[0] == '=':
		if s, _ := v.(string); !slices.Contains(strings.Split(kind[1:], "|"), s) {
			fail("%v is not one of %s", v, kind[1:])
		}
	case kind[0] == '[':
		list, ok := v.([]any)
		if !ok {
			fail("no list")
		}
		for i, e := range list {
			wrong = append(wrong, checkSARIF(fmt.Sprintf("%s/%d", at, i), kind[1:], e)...)
		}
	case kind[0] == '{':
		for name, e := range v.(map[string]any) {
			wrong = append(wrong, checkSARIF(at+"/"+name, kind[1:], e)...)
		}
	default:
		members, ok := v.(map[string]any)
		if !ok {
			fail("no object")
		}
		object := sarifObjects[kind]
		for name, e := range members {
			if k := object[name] + object[name+"!"]; k != "" {
				wrong = append(wrong, checkSARIF(at+"/"+name, k, e)...)
			} else {
				fail("%s has no %s", kind, name)
			}
		}
		for name := range object {
			if name, must := strings.CutSuffix(name, "!"); must && members[name] == nil {
				fail("%s without %s", kind, name)
			}
		}
	}
	return wrong
}

func sarifOf(t *testing.T, run *Run) map[string]any {
	t.Helper()
	var out bytes.Buffer
	if err := writeSARIF(&out, run, Options{}); err != nil {
		t.Fatal(err)
	}
	var log map[string]any
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	return log["runs"].([]any)[0].(map[string]any)
}

func TestSARIFIsValid(t *testing.T) {
	for name, run := range runs() {
		var out bytes.Buffer
		if err := writeSARIF(&out, run, Options{}); err != nil {
			t.Fatal(err)
		}
		var log any
		if err := json.Unmarshal(out.Bytes(), &log); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, w := range checkSARIF("", "sarifLog", log) {
			t.Errorf("%s%s", name, w)
		}
		checkSARIFRun(t, name, run, sarifOf(t, run))
	}
}

// checkSARIFRun holds what a schema cannot say.
func checkSARIFRun(t *testing.T, name string, run *Run, log map[string]any) {
	t.Helper()
	list := log["tool"].(map[string]any)["driver"].(map[string]any)["rules"].([]any)
	ids := map[string]bool{}
	for _, r := range list {
		id := r.(map[string]any)["id"].(string)
		if ids[id] {
			t.Errorf("%s: rule %s twice", name, id)
		}
		ids[id] = true
	}
	results := log["results"].([]any)
	for i, r := range results {
		r := r.(map[string]any)
		if id := list[int(r["ruleIndex"].(float64))].(map[string]any)["id"]; id != r["ruleId"] {
			t.Errorf("%s: result %d is of rule %v but points at %v", name, i, r["ruleId"], id)
		}
		if text := r["message"].(map[string]any)["text"].(string); strings.Contains(text, "](") {
			t.Errorf("%s: result %d embeds a link: %s", name, i, text)
		}
		if n := len(r["locations"].([]any)); n != 1 {
			t.Errorf("%s: result %d has %d locations", name, i, n)
		}
	}
	clean := log["invocations"].([]any)[0].(map[string]any)["executionSuccessful"].(bool)
	if clean != (run.Exit != 2) {
		t.Errorf("%s: exit code %d, but executionSuccessful is %v", name, run.Exit, clean)
	}
}

// The checker of these tests finds faults.
func TestSARIFCheckerFails(t *testing.T) {
	for _, bad := range []string{
		`{"version": "2.1.0", "runs": []}`,
		`{"$schema": "x", "version": "2.0", "runs": []}`,
		`{"$schema": "a b", "version": "2.1.0", "runs": []}`,
		`{"$schema": "x", "version": "2.1.0", "runs": [], "more": 1}`,
		`{"$schema": "x", "version": "2.1.0", "runs": [{"tool": {"driver": {"name": "", "rules": []}}, "results": []}]}`,
		`{"$schema": "x", "version": "2.1.0", "runs": [{"tool": {"driver": {"name": "p", "rules": []}}, "results": [], "invocations": [{}]}]}`,
	} {
		var log any
		if err := json.Unmarshal([]byte(bad), &log); err != nil {
			t.Fatal(err)
		}
		if checkSARIF("", "sarifLog", log) == nil {
			t.Errorf("passes: %s", bad)
		}
	}
}

// The fingerprints of a plan's findings do not depend on where they are.
func TestSARIFFingerprints(t *testing.T) {
	m := maker{symbol.NewTable()}
	here := m.skip(1, "a")
	there := here
	there.Pos.Line, there.Pos.Column, there.Snippet = 1, 99, "b"
	refused := diag.Diagnostic{Code: "wrong-type", Message: "m", Pos: diag.Position{File: "a", Line: 1, Column: 2, Pointer: "/graph"}}
	moved := refused
	moved.Pos.Line = 7
	for _, pair := range [][2]diag.Diagnostic{{here, there}, {refused, moved}} {
		if diff := cmp.Diff(sarifFingerprints(pair[0]), sarifFingerprints(pair[1])); diff != "" {
			t.Error(diff)
		}
	}
	if sarifFingerprints(here)["primaryLocationLineHash"] == sarifFingerprints(m.skip(2, "a"))["primaryLocationLineHash"] {
		t.Error("two findings have one fingerprint")
	}
}

func TestArtifacts(t *testing.T) {
	for name, want := range map[string]sarifArtifact{
		"plan.json":            {"plan.json", srcRoot},
		"./plans//a b.json":    {"plans/a%20b.json", srcRoot},
		"a:b?c#d%.json":        {"a%3Ab%3Fc%23d%25.json", srcRoot},
		"é\xff\n\"<>.json":     {"%C3%A9%FF%0A%22%3C%3E.json", srcRoot},
		"-":                    {"stdin", srcRoot},
		"/home/me/plan 1.json": {"file:///home/me/plan%201.json", ""},
		`C:\plans\a b.json`:    {"file:///C:/plans/a%20b.json", ""},
		"../other/plan.json":   {"../other/plan.json", ""},
		"a/../../plan.json":    {"../plan.json", ""},
	} {
		if got := artifactOf(name); got != want {
			t.Errorf("%q: %+v, want %+v", name, got, want)
		}
	}
}

// GitHub refuses files with too many results; the gravest stay.
func TestSARIFLimit(t *testing.T) {
	run := &Run{Exit: 1, Documents: []Document{{Name: "p.json", Verdict: &rules.Verdict{}}}}
	v := run.Documents[0].Verdict
	for i := range sarifResults + 2 {
		v.Findings = append(v.Findings, diag.Diagnostic{Code: "c", Severity: diag.Severity(1 + i%2), Message: "m", Pos: diag.Position{File: "p.json", Line: 1, Column: 1}})
	}
	results, leftOut := sarifAll(run)
	if len(results) != sarifResults || leftOut != 2 {
		t.Fatalf("%d results, %d left out", len(results), leftOut)
	}
	if results[sarifResults/2].d.Severity != diag.Error || results[sarifResults-1].d.Severity != diag.Warning {
		t.Error("errors were left out before warnings")
	}
	inv := sarifInvocationOf(run, leftOut)
	want := []sarifNotification{{"warning", sarifText{"2 results left out: more than 25,000 are not accepted."}}}
	if diff := cmp.Diff(want, inv.Execution); diff != "" {
		t.Error(diff)
	}
}
