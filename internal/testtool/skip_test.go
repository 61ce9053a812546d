package testtool

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestSkips proves that no test is skipped silently. Each call of Skip and Skipf outside of this package has a message
// that begins with SKIPPED and either says after a semicolon how to run the test, or names -short.
func TestSkips(t *testing.T) {
	calls := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "testtool" ||
			path != root && strings.HasPrefix(entry.Name(), ".")):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil || !slices.ContainsFunc(file.Imports, isTesting) {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !skips(call) {
				return true
			}
			calls++
			message := ""
			if len(call.Args) > 0 {
				message = literals(call.Args[0])
			}
			_, remedy, _ := strings.Cut(message, "; ")
			bySwitch := strings.HasPrefix(message, "SKIPPED by -short")
			if !bySwitch && (!strings.HasPrefix(message, "SKIPPED: ") || remedy == "") {
				t.Errorf("%v: the message is %q, want \"SKIPPED: what is missing; how to get it\"",
					files.Position(call.Pos()), message)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if calls < 5 {
		t.Errorf("only %d calls were found", calls)
	}
}

// isTesting reports whether the import is of package testing.
func isTesting(spec *ast.ImportSpec) bool { return spec.Path.Value == `"testing"` }

// skips reports whether a call is one of a test's Skip, Skipf or SkipNow.
func skips(call *ast.CallExpr) bool {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	receiver, ok := method.X.(*ast.Ident)
	if !ok || receiver.Name != "t" && receiver.Name != "tb" && receiver.Name != "b" && receiver.Name != "f" {
		return false
	}
	return method.Sel.Name == "Skip" || method.Sel.Name == "Skipf" || method.Sel.Name == "SkipNow"
}

// literals returns the text of an expression's string literals, joined.
func literals(e ast.Expr) string {
	var text strings.Builder
	ast.Inspect(e, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			part, _ := strconv.Unquote(literal.Value) // the parser has checked it
			text.WriteString(part)
		}
		return true
	})
	return text.String()
}
