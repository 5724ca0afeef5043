package shedu

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
	"testing"
)

func TestEverythingExportedIsDocumented(t *testing.T) {
	own := func(file fs.FileInfo) bool { return !strings.HasSuffix(file.Name(), "_test.go") }
	packages, err := parser.ParseDir(token.NewFileSet(), ".", own, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range packages["shedu"].Files {
		for _, declaration := range file.Decls {
			for _, name := range undocumented(declaration) {
				t.Error(name, "has no comment")
			}
		}
	}
}

func undocumented(declaration ast.Decl) []string {
	switch found := declaration.(type) {
	case *ast.FuncDecl:
		if found.Name.IsExported() && found.Doc == nil {
			return []string{found.Name.Name}
		}
	case *ast.GenDecl:
		var names []string
		for _, spec := range found.Specs {
			switch part := spec.(type) {
			case *ast.TypeSpec:
				if part.Name.IsExported() && part.Doc == nil && found.Doc == nil {
					names = append(names, part.Name.Name)
				}
			case *ast.ValueSpec:
				if part.Names[0].IsExported() && part.Doc == nil && (found.Doc == nil || len(found.Specs) > 1) {
					names = append(names, part.Names[0].Name)
				}
			}
		}
		return names
	}
	return nil
}
