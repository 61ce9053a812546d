package output

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseGreeting(t *testing.T) {
	for _, c := range []struct {
		name, line, wrong string
		want              Greeting
	}{
		{"no token", "trcx-stream 1 - 4711 web1\n", "", Greeting{"", 4711, "web1"}},
		{"token", "trcx-stream 1 s3cret! 1 db-2.example.org\r\n", "", Greeting{"s3cret!", 1, "db-2.example.org"}},
		{"no end of line", "trcx-stream 1 - 2147483647 a_b", "", Greeting{"", 2147483647, "a_b"}},
		{"web browser", "GET / HTTP/1.1\r\n", "not a recorder's greeting", Greeting{}},
		{"nothing", "", "not a recorder's greeting", Greeting{}},
		{"document without a greeting", "<TRACE>\n", "not a recorder's greeting", Greeting{}},
		{"next version", "trcx-stream 2 - 1 h x y\n", "another version", Greeting{}},
		{"word alone", "trcx-stream\n", "another version", Greeting{}},
		{"too few words", "trcx-stream 1 - 1\n", "must have the form", Greeting{}},
		{"too many words", "trcx-stream 1 - 1 my host\n", "must have the form", Greeting{}},
		{"two spaces", "trcx-stream 1  1 host\n", "a token has 1 to 256", Greeting{}},
		{"token with control character", "trcx-stream 1 a\x1b 1 host\n", "a token has 1 to 256", Greeting{}},
		{"long token", "trcx-stream 1 " + strings.Repeat("t", 257) + " 1 host\n", "a token has 1 to 256", Greeting{}},
		{"process 0", "trcx-stream 1 - 0 host\n", "no process number", Greeting{}},
		{"negative process", "trcx-stream 1 - -5 host\n", "no process number", Greeting{}},
		{"large process", "trcx-stream 1 - 2147483648 host\n", "no process number", Greeting{}},
		{"process in another form", "trcx-stream 1 - 007 host\n", "no process number", Greeting{}},
		{"process with sign", "trcx-stream 1 - +7 host\n", "no process number", Greeting{}},
		{"folder above", "trcx-stream 1 - 7 ..\n", "no host name", Greeting{}},
		{"path", "trcx-stream 1 - 7 ../../etc/passwd\n", "no host name", Greeting{}},
		{"flag", "trcx-stream 1 - 7 -rf\n", "no host name", Greeting{}},
		{"host with control character", "trcx-stream 1 - 7 a\x00b\n", "no host name", Greeting{}},
		{"no host", "trcx-stream 1 - 7 \n", "no host name", Greeting{}},
		{"long host", "trcx-stream 1 - 7 " + strings.Repeat("h", 256) + "\n", "no host name", Greeting{}},
	} {
		got, err := ParseGreeting(c.line)
		switch {
		case c.wrong == "" && (err != nil || *got != c.want):
			t.Errorf("%s: %+v, %v; want %+v", c.name, got, err, c.want)
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("%s: %+v, %v; want …%s…", c.name, got, err, c.wrong)
		}
	}
}

// FuzzParseGreeting proves that an accepted greeting has only safe characters and is written as it was read, and that
// the result of cleanHost is accepted.
func FuzzParseGreeting(f *testing.F) {
	f.Add("trcx-stream 1 - 4711 web1\n")
	f.Add("trcx-stream 1 s3cret! 1 db-2.example.org\r\n")
	f.Add("trcx-stream 1 - 7 ../../etc/passwd\n")
	f.Fuzz(func(t *testing.T, line string) {
		cleaned := Greeting{PID: 1, Host: cleanHost(line)}
		if again, err := ParseGreeting(cleaned.String()); err != nil || *again != cleaned {
			t.Errorf("%+v is read as %+v, %v", cleaned, again, err)
		}
		g, err := ParseGreeting(line)
		if err != nil {
			return
		}
		if strings.ContainsAny(g.Host, "/\\\x00\n %") || strings.HasPrefix(g.Host, ".") ||
			strings.HasPrefix(g.Host, "-") || len(g.Host) > 255 || g.PID < 1 {
			t.Errorf("%+v is not harmless", g)
		}
		if again, err := ParseGreeting(g.String()); err != nil || *again != *g || len(g.String()) > MaxLine {
			t.Errorf("%+v is read again as %+v, %v", g, again, err)
		}
	})
}

func TestReadToken(t *testing.T) {
	folder := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct{ name, given, file, variable, want, wrong string }{
		{"none", "", "", "", "", ""},
		{"given", "abc", "", "other", "abc", ""},
		{"file", "", file("token", "from-file\r\n"), "other", "from-file", ""},
		{"variable", "", "", "from-variable", "from-variable", ""},
		{"twice", "abc", file("other", "x"), "", "", "given twice"},
		{"empty file", "", file("empty", "\n"), "", "", "empty is empty"},
		{"two lines", "", file("lines", "a\nb\n"), "", "", "lines cannot be used: a token has 1 to 256"},
		{"no file", "", filepath.Join(folder, "none"), "", "", "cannot be read"},
		{"with a space", "my secret", "", "", "", "the token cannot be used"},
		{"lone minus", "-", "", "", "", "the token cannot be used"},
		{"bad variable", "", "", "ö", "", "the token in TRCX_TOKEN cannot be used"},
	} {
		t.Setenv(TokenVariable, c.variable)
		got, err := ReadToken(c.given, c.file)
		if got != c.want || (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s: %q, %v; want %q, …%s…", c.name, got, err, c.want, c.wrong)
		}
	}
}

func TestSameToken(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{{"secret", "secret", true}, {"secret", "secreT", false}, {"secret", "secret2", false}, {"secret", "", false}} {
		if SameToken(c.a, c.b) != c.same {
			t.Errorf("%q and %q: %v", c.a, c.b, !c.same)
		}
	}
}

func TestLoopback(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1:7411": true, "127.9.9.9:1": true, "[::1]:7411": true, "[::ffff:127.0.0.1]:7": true,
		"0.0.0.0:7411": false, ":7411": false, "[::]:7411": false, "192.168.1.1:7411": false, "localhost:7411": false,
		"127.0.0.1": false,
	} {
		if Loopback(address) != want {
			t.Errorf("%s: %v", address, !want)
		}
	}
}
