package diag

import "testing"

func TestCounted(t *testing.T) {
	for n, want := range map[int]string{0: "0 files", 1: "1 file", 2: "2 files"} {
		if got := Counted(n, "file"); got != want {
			t.Errorf("Counted(%d) is %s, want %s", n, got, want)
		}
	}
}
