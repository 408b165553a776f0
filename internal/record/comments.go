package record

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strings"
)

// Read adds the comments of the struct types in the Go files of a tree, which is
// that of a package. The files are those that the program was made of: one that
// cannot be read is a mistake of ours.
func (c Comments) Read(pkg string, tree fs.FS) {
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.TYPE {
				for _, s := range d.Specs {
					c.add(path.Join(pkg, path.Dir(name)), d, s.(*ast.TypeSpec))
				}
			}
		}
		return nil
	})
	if err != nil {
		panic("record: comments: " + err.Error())
	}
}

func (c Comments) add(pkg string, d *ast.GenDecl, s *ast.TypeSpec) {
	of, ok := s.Type.(*ast.StructType)
	if !ok {
		return
	}
	name := pkg + "." + s.Name.Name
	c[name] = oneLine(d.Doc)
	for _, f := range of.Fields.List {
		text := oneLine(f.Doc)
		if text == "" {
			text = oneLine(f.Comment)
		}
		for _, n := range f.Names {
			c[name+"."+n.Name] = text
		}
	}
}

func oneLine(g *ast.CommentGroup) string { return strings.Join(strings.Fields(g.Text()), " ") }
