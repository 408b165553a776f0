package main

import "testing"

// The pages in docs are those that docgen writes now.
func TestPagesAreFresh(t *testing.T) {
	if err := run("../../docs", true); err != nil {
		t.Error(err)
	}
}
