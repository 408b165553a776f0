package tensor

import (
	"embed"
	"fmt"
	"math"
	"strconv"

	"plancheck/internal/diag"
	"plancheck/internal/record"
	"plancheck/internal/strictjson"
)

// Schema names files of tensors.
const Schema = "plancheck.tensors/1"

// source has this file, whose comments say what the fields of a File mean.
//
//go:embed file.go
var source embed.FS

// JSONSchema returns the JSON Schema of files of tensors.
func JSONSchema() *strictjson.Schema {
	c := record.Comments{}
	c.Read("plancheck/internal/tensor", source)
	return record.Schema(&File{}, c)
}

// File is tensors by the values that they are of.
type File struct {
	_  struct{} `noun:"a file of tensors"`
	At uint32

	// Schema is what kind of document this is, and the version of its format.
	Schema string `json:"schema" enum:"plancheck.tensors/1"`
	// Values are the tensors.
	Values []Value `json:"values" defines:"value"`
}

// Value is a tensor of a file.
type Value struct {
	_  struct{} `noun:"a tensor"`
	At uint32

	// ID is the id of the value in the model.
	ID string `json:"id"`
	// Shape is the size along each axis.
	Shape []int64 `json:"shape" min:"0"`
	// Data is the elements in row-major order: integers, or numbers in quotes.
	Data []Number `json:"data"`
}

// Number is a number that a file has as a text, such as "0.5", or as an integer.
type Number float64

// MarshalText writes the shortest text that is read as the number.
func (n Number) MarshalText() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(n), 'g', -1, 64), nil
}

// Form returns what a number is called, and a regular expression of texts that may
// be one.
func (Number) Form() (noun, pattern string) {
	const decimal = `([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?`
	const binary = `0[xX]([0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][-+]?[0-9]+`
	return "an integer or a number in quotes", "^[-+]?(" + decimal + "|" + binary + ")$"
}

// UnmarshalText reads a finite number.
func (n *Number) UnmarshalText(b []byte) error {
	x, err := strconv.ParseFloat(string(b), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return fmt.Errorf("is %q, which is no finite number", b)
	}
	*n = Number(x)
	return nil
}

// Decode reads a file of tensors. It returns them by the ids of their values, or
// every error, each with its place.
func Decode(src *diag.Source) (map[string]*Tensor, []diag.Diagnostic) {
	var f File
	if diags := record.Decode(src, &f); diags != nil {
		return nil, diags
	}
	all := map[string]*Tensor{}
	var diags []diag.Diagnostic
	for _, v := range f.Values {
		n, err := Count(v.Shape)
		if err == nil && n != int64(len(v.Data)) {
			err = fmt.Errorf("shape %v has %d elements, and %d are given", v.Shape, n, len(v.Data))
		}
		if err != nil {
			diags = append(diags, diag.Diagnostic{Code: "tensor-shape-wrong", Severity: diag.Error, Pos: src.Position(int(v.At)), Message: "value " + v.ID + ": " + err.Error()})
			continue
		}
		t := &Tensor{Shape: v.Shape, Data: make([]float64, n)}
		for i, x := range v.Data {
			t.Data[i] = float64(x)
		}
		all[v.ID] = t
	}
	if diags != nil {
		return nil, diags
	}
	return all, nil
}

// Encode writes tensors in the order of the ids.
func Encode(ids []string, of map[string]*Tensor) []byte {
	f := File{Schema: Schema, Values: []Value{}}
	for _, id := range ids {
		v := Value{ID: id, Shape: of[id].Shape, Data: []Number{}}
		for _, x := range of[id].Data {
			v.Data = append(v.Data, Number(x))
		}
		f.Values = append(f.Values, v)
	}
	return record.Encode(&f)
}
