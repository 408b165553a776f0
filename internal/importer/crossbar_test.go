package importer

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestDivide(t *testing.T) {
	c := chip{crossbarRows: 128, crossbarColumns: 128, crossbars: 64}
	for _, test := range []struct {
		m    matrix
		want arrayGroups
	}{
		{matrix{1, 1}, arrayGroups{1, 1, 1}},
		{matrix{128, 128}, arrayGroups{1, 1, 1}},
		{matrix{129, 257}, arrayGroups{2, 3, 1}},
		{matrix{363, 96}, arrayGroups{3, 1, 1}},        // the first convolution of alexnet
		{matrix{25088, 4096}, arrayGroups{196, 32, 1}}, // the first dense layer of vgg16
		{matrix{128, 64 * 128}, arrayGroups{1, 64, 1}}, // a row fills a core
		{matrix{256, 65 * 128}, arrayGroups{4, 33, 2}}, // a row needs two cores
		{matrix{1, 130 * 128}, arrayGroups{3, 44, 3}},
	} {
		got, err := c.divide(test.m)
		if err != nil || got != test.want {
			t.Errorf("%v: %+v, %v, want %+v", test.m, got, err, test.want)
		}
	}
	if _, err := c.divide(matrix{math.MaxInt64, math.MaxInt64}); err == nil {
		t.Error("a matrix of 2^126 cells was divided")
	}
}

// Every group fits a core and all groups together hold the matrix, with less
// than one crossbar to spare for each group.
func TestDivideHoldsTheMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.Int64Range(1, 300)
		c := chip{
			crossbarRows: side.Draw(t, "rows"), crossbarColumns: side.Draw(t, "columns"),
			crossbars: side.Draw(t, "crossbars"),
		}
		m := matrix{rapid.Int64Range(1, 1000).Draw(t, "height"), rapid.Int64Range(1, 1000).Draw(t, "width")}
		g, err := c.divide(m)
		if err != nil {
			t.Fatal(err)
		}
		rows := ceilDiv(m.height, c.crossbarRows)
		width := ceilDiv(m.width, c.crossbarColumns)
		if g.width > c.crossbars || g.count != rows*g.pieces || g.pieces*g.width < width || g.pieces*(g.width-1) >= width {
			t.Fatalf("%+v on %+v: %+v", m, c, g)
		}
	})
}

func TestProduct(t *testing.T) {
	for _, test := range []struct {
		ns   []int64
		want int64
		ok   bool
	}{
		{nil, 1, true},
		{[]int64{3, 0, 5}, 0, true},
		{[]int64{math.MaxInt64}, math.MaxInt64, true},
		{[]int64{1 << 32, 1 << 31}, 0, false},
		{[]int64{1 << 62, 1 << 62, 1 << 62}, 0, false},
	} {
		got, ok := product(test.ns...)
		if got != test.want || ok != test.ok {
			t.Errorf("product(%v): %d, %t, want %d, %t", test.ns, got, ok, test.want, test.ok)
		}
	}
}
