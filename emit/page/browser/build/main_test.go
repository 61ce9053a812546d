package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The tests run in build/, so the folders are one step farther away.
func here(folder string) string { return filepath.Join("..", folder) }

func TestAssetsAreWhatTheSourcesGive(t *testing.T) {
	built, err := build(here(sources))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range built {
		if err := same(filepath.Join(here(assets), name), want); err != nil {
			t.Error(err)
		}
	}
}

func TestAssetsDoNotDependOnTheFolder(t *testing.T) {
	elsewhere := filepath.Join(t.TempDir(), "else where")
	if err := os.CopyFS(elsewhere, os.DirFS(here(sources))); err != nil {
		t.Fatal(err)
	}
	want, err := build(here(sources))
	if err != nil {
		t.Fatal(err)
	}
	got, err := build(elsewhere)
	if err != nil {
		t.Fatal(err)
	}
	for name := range want {
		if !bytes.Equal(got[name], want[name]) {
			t.Errorf("%s is another one when the sources lie in another folder", name)
		}
		if bytes.Contains(got[name], []byte(elsewhere)) {
			t.Errorf("%s names the folder in which it was built", name)
		}
	}
}

func TestMissingMarkerIsAnError(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "page.html"), []byte("<!doctype html>"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := build(folder); err == nil {
		t.Error("a page without places for its parts is accepted")
	}
}

func TestWhatEndsTheElementIsAnError(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "main.ts"), []byte("console.log(/<!--/)"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := bundle(folder, "main.ts"); err == nil {
		t.Error("a script with <!-- in it is accepted")
	}
}

// Type imports count as imports, though the bundler drops them.
func TestImportCycleIsAnError(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"main.ts":   "import { a } from \"./part/a.js\";\na();\n",
		"part/a.ts": "import {\n  type B,\n  b,\n} from \"./b.js\";\nexport function a() {}\n",
		"part/b.ts": "import type { A } from \"../c.js\";\nexport function b() {}\n",
		"c.ts":      "export { a } from \"./part/a.js\";\n",
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := "files import each other in a cycle: c -> part/a -> part/b -> c"
	if err := checkCycles(folder); err == nil || err.Error() != want {
		t.Errorf("the cycle is reported as %v, want %s", err, want)
	}
}

func TestEveryImportIsFound(t *testing.T) {
	imports, err := importsOf(here(sources))
	if err != nil {
		t.Fatal(err)
	}
	for file, all := range imports {
		text, err := os.ReadFile(filepath.Join(here(sources), file+".ts"))
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(text, []byte(".js\"")); n != len(all) {
			t.Errorf("%s names %d modules, and %d imports are found", file, n, len(all))
		}
	}
}
