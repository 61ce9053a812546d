package record

import (
	"testing"

	"github.com/trcx/trcx/agent/options"
)

// TestRelativeNames proves that relative names are resolved in the options' folder, and that messages have the name as
// it was given. A percent sign in the folder is no placeholder.
func TestRelativeNames(t *testing.T) {
	const folder = "/there/100%p"
	for text, want := range map[string]struct{ file, unix, name string }{
		"":                           {folder + "/trace.trcxml", "", "trace.trcxml"},
		"file=a-%p.trcxml":           {folder + "/a-7.trcxml", "", "a-7.trcxml"},
		"file=/tmp/a.trcxml":         {"/tmp/a.trcxml", "", "/tmp/a.trcxml"},
		"file=-":                     {"-", "", "the standard output"},
		"unix=trcx.sock":             {"", folder + "/trcx.sock", "unix trcx.sock"},
		"JPIAgent:file=a;ThreadProf": {folder + "/a", "", "a"},
	} {
		o, err := options.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		o.Folder = folder
		d := describe(&o, 7, "host", nil)
		if d.File != want.file || d.Unix != want.unix || d.String() != want.name {
			t.Errorf("%q goes to the file %q, the socket %q, and is called %q; want %q", text, d.File, d.Unix, &d, want)
		}
	}
}
