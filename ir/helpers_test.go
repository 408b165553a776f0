package ir

import (
	"fmt"
	"reflect"
	"strings"

	"plancheck/internal/diag"
)

// brief writes diagnostics one a line: place, pointer, code, message, help.
func brief(ds []diag.Diagnostic) []string {
	var lines []string
	for _, d := range ds {
		line := fmt.Sprintf("%d:%d %s %s: %s", d.Pos.Line, d.Pos.Column, d.Pos.Pointer, d.Code, d.Message)
		if d.Help != "" {
			line += " (" + d.Help + ")"
		}
		lines = append(lines, line)
	}
	return lines
}

// view turns a plan into maps, lists and texts that can be compared with those
// of another plan: ids are written out, and sources, sections and byte offsets
// left out. A nil list stays different from an empty one.
func view(p *Plan) any {
	var of func(v reflect.Value) any
	of = func(v reflect.Value) any {
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() {
				return nil
			}
			return of(v.Elem())
		case reflect.Slice:
			if v.IsNil() {
				return nil
			}
			list := []any{}
			for i := range v.Len() {
				list = append(list, of(v.Index(i)))
			}
			return list
		case reflect.Struct:
			fields := map[string]any{}
			for i := range v.NumField() {
				name := v.Type().Field(i).Name
				if name != "Symbols" && name != "Source" && !strings.HasSuffix(name, "At") {
					fields[name] = of(v.Field(i))
				}
			}
			return fields
		}
		if id, ok := v.Interface().(ID); ok {
			if id == NoID {
				return "no id"
			}
			return fmt.Sprintf("id %q", p.Text(id))
		}
		return v.Interface()
	}
	return of(reflect.ValueOf(p))
}
