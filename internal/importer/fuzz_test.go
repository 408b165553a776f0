package importer

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"plancheck/internal/diag"
	"plancheck/ir"
)

// FuzzImportSchedule reads anything as a schedule file, with the same demands as
// FuzzImport.
func FuzzImportSchedule(f *testing.F) {
	f.Add([]byte("0F0,0F1,,0B0,0W0\r\n1F0,1SEND_B0"), uint8(3))
	f.Add([]byte("0F0,0SEND_F0\n1RECV_F0,1F0,1I0,1W0,1SEND_B0\n\n"), uint8(0))
	f.Add([]byte("0F0,2F0,0UNSHARD\n1F0,(1F0;1B0)OVERLAP_F_B"), uint8(1))
	f.Fuzz(func(t *testing.T, text []byte, choice uint8) {
		o := Options{Depth: Amount{int64(choice >> 1), choice&1 > 0}}
		checkImport(t, "pytorch-pipeline", []*diag.Source{diag.NewSource("first.csv", text)}, o)
	})
}

// FuzzImport reads anything as files of each format: there is a plan or an
// error and not both, and a plan is one that plancheck itself would read.
func FuzzImport(f *testing.F) {
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		return data
	}
	f.Add(false, read("tower.json"), read("tower.split.json"), uint8(0))
	f.Add(false, read("tower.json"), []byte(nil), uint8(3))
	f.Add(true, read("net.json"), read("chip.json"), uint8(0))
	f.Add(true, read("net.json"), read("chip.small.json"), uint8(0))
	f.Add(false, []byte(`{"nodes": [{"id": 1, "fpgaLatency": 0.5, "size": 1e3}], "edges": [{"sourceId": 1, "destId": 1, "cost": 2}]}`), []byte(`{"fpgas": [{"nodes": [1, 1]}]}`), uint8(1))
	f.Fuzz(func(t *testing.T, pim bool, first, second []byte, choice uint8) {
		format, o := "dnn-partitioning", Options{Sources: Sources(choice & 1), EdgeSize: EdgeSize(choice >> 1 & 1)}
		if pim {
			format, o = "pimcomp", Options{}
		}
		files := []*diag.Source{diag.NewSource("first.json", first), diag.NewSource("second.json", second)}
		if len(second) == 0 {
			files = files[:1]
		}
		checkImport(t, format, files, o)
	})
}

// checkImport holds what an import says against what it returns.
func checkImport(t *testing.T, format string, files []*diag.Source, o Options) {
	p, ds := Import(format, files, o)
	failed := false
	for _, d := range ds {
		failed = failed || d.Severity == diag.Error
	}
	if failed != (p == nil) {
		t.Fatalf("plan %v with %v", p, said(ds))
	}
	if p == nil {
		return
	}
	if bad := ir.Validate(p); len(bad) > 0 {
		t.Fatalf("the plan is not one: %v", said(bad))
	}
	again, _ := Import(format, files, o)
	if !bytes.Equal(ir.Encode(p), ir.Encode(again)) {
		t.Fatal("the same files gave two plans")
	}
}
