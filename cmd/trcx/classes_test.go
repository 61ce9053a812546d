package main

import (
	"archive/zip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/agent/bci"
)

// TestDeclaredMethods reads the same class from a folder and from a jar, each with a damaged class beside it.
func TestDeclaredMethods(t *testing.T) {
	folder := t.TempDir()
	class := bci.Recorder()
	for name, data := range map[string][]byte{"a/R.class": class, "Cut.class": class[:100], "META-INF/versions/11/R.class": class,
		"readme.txt": []byte("no class")} {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	inFolder, bad, err := declaredMethods(folder, false)
	if err != nil || len(inFolder) == 0 || len(bad) != 1 || !strings.HasPrefix(bad[0], "Cut.class: the class file ends in its constant pool") {
		t.Fatalf("%d methods, %v, %v", len(inFolder), bad, err)
	}
	for _, m := range inFolder {
		if m.Class != "java.lang.TrcxRecorder" || m.Name == "<init>" || !strings.HasPrefix(m.Signature, "(") {
			t.Errorf("got %+v", m)
		}
	}
	jar := filepath.Join(t.TempDir(), "app.jar")
	file, err := os.Create(jar)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w := zip.NewWriter(file)
	if err := w.AddFS(os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if inJar, bad, err := declaredMethods(jar, false); err != nil || len(bad) != 1 || !slices.Equal(inJar, inFolder) {
		t.Errorf("%v, %v, %v", inJar, bad, err)
	}
	if _, _, err := declaredMethods(filepath.Join(folder, "readme.txt"), false); err == nil {
		t.Error("a text was read as a jar")
	}
}
