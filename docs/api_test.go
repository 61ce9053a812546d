package docs

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

// publicFolders are the packages that other Go programs import, with their subfolders.
var publicFolders = []string{"trace", "dtd", "threads", "enrich", "convert", "validate", "analyze", "emit"}

// goFile is a parsed file of the repository.
type goFile struct {
	folder, path string
	*ast.File
}

// isTest reports whether the file is a test or belongs to a package that only tests import.
func (f *goFile) isTest() bool {
	return strings.HasSuffix(f.path, "_test.go") || strings.HasSuffix(f.folder, "test")
}

// isPublic reports whether the file belongs to the library.
func (f *goFile) isPublic() bool {
	folders := strings.Split(f.folder, "/")
	return slices.Contains(publicFolders, folders[0]) && !slices.Contains(folders, "internal") && !f.isTest()
}

// goFiles parses all Go files of the repository, nested modules included.
func goFiles(t *testing.T) (files []*goFile) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && skippedFolder(entry.Name()) && path != root:
			return filepath.SkipDir
		case filepath.Ext(path) != ".go":
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		files = append(files, &goFile{folderOf(path), path, parsed})
		return err
	})
	if err != nil || len(files) < 500 {
		t.Fatalf("%d Go files are parsed: %v", len(files), err)
	}
	return files
}

// internalImports returns the names by which the file imports internal packages.
func (f *goFile) internalImports() map[string]string {
	names := map[string]string{}
	for _, spec := range f.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		if strings.HasPrefix(path, module+"internal/") {
			name := path[strings.LastIndexByte(path, '/')+1:]
			if spec.Name != nil {
				name = spec.Name.Name
			}
			names[name] = path
		}
	}
	return names
}

// TestExportedSignatures proves that no exported function, method, type or variable of the library names a type of an
// internal package, which its importers could not name.
func TestExportedSignatures(t *testing.T) {
	for _, file := range goFiles(t) {
		if !file.isPublic() {
			continue
		}
		internals := file.internalImports()
		for _, declared := range exportedTypes(file.File) {
			ast.Inspect(declared.node, func(n ast.Node) bool {
				if selector, ok := n.(*ast.SelectorExpr); ok {
					if x, ok := selector.X.(*ast.Ident); ok && internals[x.Name] != "" {
						t.Errorf("%s: %s has the type %s.%s of an internal package", file.path, declared.name, x.Name,
							selector.Sel.Name)
					}
				}
				return true
			})
		}
	}
}

// declaration is an exported name with the syntax of its type.
type declaration struct {
	name string
	node ast.Node
}

// exportedTypes returns what an importer sees of the file: signatures, fields, methods of interfaces, declared types.
func exportedTypes(file *ast.File) (all []declaration) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiverOf(d))) {
				all = append(all, declaration{d.Name.Name, d.Type})
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					if spec.Name.IsExported() {
						all = append(all, fieldsOf(spec)...)
					}
				case *ast.ValueSpec:
					if spec.Names[0].IsExported() && spec.Type != nil {
						all = append(all, declaration{spec.Names[0].Name, spec.Type})
					}
				}
			}
		}
	}
	return all
}

// fieldsOf returns the exported fields of a struct type, or the whole type. A type defined as an internal one hides it.
func fieldsOf(spec *ast.TypeSpec) (all []declaration) {
	structure, ok := spec.Type.(*ast.StructType)
	if !ok {
		if _, named := spec.Type.(*ast.SelectorExpr); named && !spec.Assign.IsValid() {
			return nil
		}
		return []declaration{{spec.Name.Name, spec.Type}}
	}
	for _, field := range structure.Fields.List {
		exported := len(field.Names) == 0
		for _, name := range field.Names {
			exported = exported || name.IsExported()
		}
		if exported {
			all = append(all, declaration{spec.Name.Name, field.Type})
		}
	}
	return all
}

func receiverOf(d *ast.FuncDecl) string {
	expression := d.Recv.List[0].Type
	for {
		switch e := expression.(type) {
		case *ast.StarExpr:
			expression = e.X
		case *ast.IndexExpr:
			expression = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}

// TestExportedNamesAreUsed proves that each exported function, variable, constant and type is used in another package,
// or in an example or a test outside of its package. A type that occurs in an exported signature or field is used, and
// so are the constants of such a type.
func TestExportedNamesAreUsed(t *testing.T) {
	files := goFiles(t)
	used := map[string]bool{} // import path, a point, the name
	for _, file := range files {
		imports := map[string]string{}
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if !strings.HasPrefix(path, module) {
				continue
			}
			name := path[strings.LastIndexByte(path, '/')+1:]
			if spec.Name != nil {
				name = spec.Name.Name
			}
			imports[name] = strings.TrimPrefix(path, module)
			if name == "." {
				t.Errorf("%s imports %s into its own names", file.path, path)
			}
		}
		ast.Inspect(file.File, func(n ast.Node) bool {
			if selector, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := selector.X.(*ast.Ident); ok && imports[x.Name] != "" {
					used[imports[x.Name]+"."+selector.Sel.Name] = true
				}
			}
			return true
		})
	}
	for _, file := range files {
		for _, declared := range exportedTypes(file.File) {
			ast.Inspect(declared.node, func(n ast.Node) bool {
				if name, ok := n.(*ast.Ident); ok && !strings.HasSuffix(file.path, "_test.go") {
					used[file.folder+"."+name.Name] = true
				}
				return true
			})
		}
	}
	for _, file := range files {
		if file.isTest() || file.Name.Name == "main" || file.folder == "agent/ring" { // ring's names are those of ring.h
			continue
		}
		for _, name := range exportedNames(file.File, func(name string) bool { return used[file.folder+"."+name] }) {
			if !used[file.folder+"."+name] {
				t.Errorf("%s: %s is exported, and nothing outside of its package uses it", file.path, name)
			}
		}
	}
}

// exportedNames returns the file's exported names but for methods, fields and the constants of a type that is used.
func exportedNames(file *ast.File, used func(name string) bool) (names []string) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.IsExported() {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			typed := false // of the constants of a group, those after the first may repeat its type
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					if spec.Name.IsExported() {
						names = append(names, spec.Name.Name)
					}
				case *ast.ValueSpec:
					if of, ok := spec.Type.(*ast.Ident); ok {
						typed = used(of.Name)
					}
					for _, name := range spec.Names {
						if name.IsExported() && !typed {
							names = append(names, name.Name)
						}
					}
				}
			}
		}
	}
	return names
}

// nameless are exported kinds without a String: a set.
var nameless = []string{"analyze/query.ResultKinds"}

// TestKindsHaveNames proves that the kinds and enumerations of the library print as words.
func TestKindsHaveNames(t *testing.T) {
	kinds, named := map[string]bool{}, map[string]bool{}
	for _, file := range goFiles(t) {
		if !file.isPublic() {
			continue
		}
		ast.Inspect(file.File, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				if of, ok := n.Type.(*ast.Ident); ok && of.Name == "uint8" && n.Name.IsExported() {
					kinds[file.folder+"."+n.Name.Name] = true
				}
			case *ast.FuncDecl:
				if n.Name.Name == "String" && n.Recv != nil {
					if receiver, ok := n.Recv.List[0].Type.(*ast.Ident); ok {
						named[file.folder+"."+receiver.Name] = true
					}
				}
			}
			return true
		})
	}
	if len(kinds) < 20 {
		t.Fatalf("only %v are kinds", kinds)
	}
	for kind := range kinds {
		if !named[kind] && !slices.Contains(nameless, kind) {
			t.Errorf("%s has no String", kind)
		}
	}
}
