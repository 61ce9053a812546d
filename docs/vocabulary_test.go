package docs

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// maxVocabulary limits the exported names of package trace but for those of its tables.
const maxVocabulary = 150

// tableTypes are the types of constants that are rows, columns and values of the tables of elements, attributes and
// annotations.
var tableTypes = []string{"Kind", "Attr", "Group", "Content", "Type", "Link", "Space", "NoteValue"}

// TestVocabularyIsSmall proves that package trace exports few names beside the constants of its tables. The constants
// of
// annotation.go are the annotations' names and the words that are their values.
func TestVocabularyIsSmall(t *testing.T) {
	var names []string
	tables := 0
	for _, file := range goFiles(t) {
		if file.folder != "trace" || file.isTest() {
			continue
		}
		for _, declared := range packageNames(file.File) {
			inTable := declared.token == token.CONST && (slices.Contains(tableTypes, declared.typ) ||
				strings.HasSuffix(file.path, "/annotation.go"))
			if inTable {
				tables++
			} else {
				names = append(names, declared.name)
			}
		}
	}
	if len(names) > maxVocabulary || tables < 100 {
		slices.Sort(names)
		t.Errorf("trace exports %d names, at most %d are allowed, and %d of tables: %v", len(names), maxVocabulary, tables,
			names)
	}
}

// TestNoExportedVariables proves that no importer can change what the library does for others: it exports no variables
// but errors made by errors.New.
func TestNoExportedVariables(t *testing.T) {
	errors := 0
	for _, file := range goFiles(t) {
		if !file.isPublic() {
			continue
		}
		for _, declared := range packageNames(file.File) {
			call, _ := declared.value.(*ast.CallExpr)
			switch {
			case declared.token != token.VAR:
			case call != nil && isErrorsNew(call.Fun):
				errors++
			default:
				t.Errorf("%s exports the variable %s: let a function return a copy", file.path, declared.name)
			}
		}
	}
	if errors == 0 {
		t.Error("no exported error is found")
	}
}

func isErrorsNew(called ast.Expr) bool {
	selector, ok := called.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	of, ok := selector.X.(*ast.Ident)
	return ok && of.Name == "errors" && selector.Sel.Name == "New"
}

// packageName is an exported name of a package. A constant that repeats the type of the one before has that type.
type packageName struct {
	name, typ string
	token     token.Token
	value     ast.Expr // of a variable, if it has one of its own
}

// packageNames returns the exported names that the file declares, but for methods.
func packageNames(file *ast.File) (all []packageName) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.IsExported() {
				all = append(all, packageName{name: d.Name.Name, token: token.FUNC})
			}
		case *ast.GenDecl:
			typ := ""
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					if spec.Name.IsExported() {
						all = append(all, packageName{name: spec.Name.Name, token: token.TYPE})
					}
				case *ast.ValueSpec:
					if of, ok := spec.Type.(*ast.Ident); ok || len(spec.Values) > 0 {
						typ = ""
						if ok {
							typ = of.Name
						}
					}
					for i, name := range spec.Names {
						found := packageName{name: name.Name, typ: typ, token: d.Tok}
						if i < len(spec.Values) {
							found.value = spec.Values[i]
						}
						if name.IsExported() {
							all = append(all, found)
						}
					}
				}
			}
		}
	}
	return all
}
