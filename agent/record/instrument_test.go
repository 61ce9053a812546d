package record

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/trcx/trcx/agent/options"
)

// TestSelection proves which methods filters select, and whether classes of the JDK's own loaders must be looked at.
func TestSelection(t *testing.T) {
	file := filepath.Join(t.TempDir(), "filters")
	for filters, want := range map[string]struct{ jdk, list, app, javac bool }{
		"# none":                    {false, false, true, false},
		"app.* * EXCLUDE":           {false, false, false, false},
		"app.* * INCLUDE":           {false, false, true, false},
		"java.util.* * INCLUDE":     {true, true, true, false},
		"* * INCLUDE":               {true, true, true, true},
		"* * EXCLUDE":               {false, false, false, false},
		"com.sun.tools.* * INCLUDE": {true, false, true, true},
		"java.util.ArrayList * EXCLUDE\n* * INCLUDE": {true, false, true, true},
	} {
		if err := os.WriteFile(file, []byte(filters+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		o := options.Options{FilterFile: file, Exec: options.Counts}
		if err := o.ReadFiles(); err != nil {
			t.Fatal(err)
		}
		s := Selection(&o)
		got := want
		got.jdk, got.list = IncludesJDK(&o), s.Matches("java/util/ArrayList", "add")
		got.app, got.javac = s.Matches("app/Main", "main"), s.Matches("com/sun/tools/javac/Main", "main")
		if got != want {
			t.Errorf("%q: %v, want %v", filters, got, want)
		}
	}
}
