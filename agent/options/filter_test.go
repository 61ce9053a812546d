package options

import (
	"fmt"
	"strings"
	"testing"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct{ file, shown, hidden string }{
		{"", "a.B.m x.<init>", ""},
		{"com.foo.* * INCLUDE\n* * EXCLUDE", "com.foo.A.m com.foo.b.C.<init> com/foo/A.m",
			"com.foox.A.m com.A.m A.m org.com.foo.A.m"},
		{"* * EXCLUDE\ncom.foo.* * INCLUDE", "", "com.foo.A.m"}, // the first decides
		{"com/foo/A * EXCLUDE", "com/foo/AB.m com.foo.A$1.m", "com/foo/A.m com.foo.A.x"},
		{"*Impl get* EXCLUDE", "a.Impl.set a.ImplX.get", "a.FooImpl.get Impl.getX"},
		{"* <init> EXCLUDE", "a.B.init a.B.<clinit>", "a.B.<init> a.B.-init-"},
		{"* -clinit- EXCLUDE", "a.B.<init>", "a.B.<clinit>"},
		{"a.B m exclude\r\n", "a.B.n a.C.m", "a.B.m"},
		{"# * * EXCLUDE\n* what follows is mine\n*\n\n* note\na.* * EXCLUDE", "b.B.m", "a.B.m"},
	} {
		filters, err := parseFilters("f", []byte(c.file))
		if err != nil {
			t.Errorf("%q: %v", c.file, err)
			continue
		}
		for want, names := range map[bool]string{true: c.shown, false: c.hidden} {
			for _, name := range strings.Fields(names) {
				dot := strings.LastIndexByte(name, '.')
				if filters.Match(name[:dot], name[dot+1:]) != want {
					t.Errorf("%q: %s is shown: %v", c.file, name, !want)
				}
			}
		}
	}
}

// TestFiltersAreShown compares filter elements with a trace that the Workbench saved, for the filters
// CH.ifa.draw* * INCLUDE and * * EXCLUDE.
func TestFiltersAreShown(t *testing.T) {
	filters,
		err := parseFilters("f",
		[]byte("CH.ifa.draw* * INCLUDE\n* * EXCLUDE\nCH/ifa/draw/A paint EXCLUDE\n* *s INCLUDE"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range filters {
		got = append(got, fmt.Sprintf("%q %s %s %q %s", f.Class.Text, f.Mode(), f.Class.Wildcard, f.Method.Text,
			f.Method.Wildcard))
	}
	want := []string{
		`"CH.ifa.draw" INCLUDE SUFFIX "" PREFIX`, `"" EXCLUDE PREFIX "" PREFIX`,
		`"CH.ifa.draw.A" EXCLUDE NONE "paint" NONE`, `"" INCLUDE PREFIX "s" PREFIX`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestFilterErrors(t *testing.T) {
	for text, want := range map[string]string{
		"a.* * INCLUDE\n\n* * EXCLUD": `f:3: "EXCLUD": want INCLUDE or EXCLUDE; a comment begins with #`,
		"* *":                         `f:1: "* *": want CLASS METHOD INCLUDE, CLASS METHOD EXCLUDE or a comment`,
		"* EXCLUDE":                   "f:1: the method pattern is missing: write \"* * EXCLUDE\"",
		"com.foo.* INCLUDE": "f:1: the method pattern is missing: write \"com.foo.* * " +
			"INCLUDE\"",
		"com.foo.*":           `"com.foo.*": want CLASS METHOD INCLUDE`,
		"a b INCLUDE EXCLUDE": `"a b INCLUDE EXCLUDE": want CLASS METHOD`,
		"* two words":         `"words": want INCLUDE or EXCLUDE; a comment begins with #`,
		"a.*.b * INCLUDE": `f:1: "a.*.b": want a pattern with at most one *, at its ` +
			"beginning or its end",
		"*a* * INCLUDE":                         "want a pattern with at most one *",
		"a ** INCLUDE":                          "want a pattern with at most one *",
		strings.Repeat("a b INCLUDE\n", 10_001): "f:10001: the limit is 10000 filters",
	} {
		if _, err := parseFilters("f", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: the error is %v, want %s", text, err, want)
		}
	}
}

// FuzzFilters compares Match with an oracle that tries a pattern at each place of a name.
func FuzzFilters(f *testing.F) {
	f.Add("com.foo.* * INCLUDE\n* * EXCLUDE", "com/foo/A", "<init>")
	f.Add("*Impl get* EXCLUDE", "a.FooImpl", "getX")
	f.Add("* a comment of more words\n# another\na b include", "a", "b")
	f.Add("* <init> EXCLUDE", "a", "-init-")
	f.Fuzz(func(t *testing.T, text, class, method string) {
		filters, err := parseFilters("f", []byte(text))
		if err != nil {
			checkMessage(t, text, err)
			return
		}
		want := true
		for _, filter := range filters {
			if oracle(filter.Class, strings.ReplaceAll(class, "/", ".")) &&
				oracle(filter.Method, strings.NewReplacer("<", "-", ">", "-").Replace(method)) {
				want = filter.Include
				break
			}
		}
		if filters.Match(class, method) != want {
			t.Errorf("%q: %s.%s is shown: %v", text, class, method, !want)
		}
	})
}

func oracle(p Pattern, name string) bool {
	for i := range len(name) + 1 {
		before, after := p.Wildcard == Prefix || i == 0, p.Wildcard == Suffix
		rest := name[i:]
		if before && (rest == p.Text || after && len(rest) >= len(p.Text) && rest[:len(p.Text)] == p.Text) {
			return true
		}
	}
	return false
}

func BenchmarkMatch(b *testing.B) {
	filters, err := parseFilters("f", []byte(strings.Repeat("com.foo.* get* INCLUDE\n", 20)+"* * EXCLUDE"))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		filters.Match("java/util/concurrent/ThreadPoolExecutor$Worker", "<init>")
	}
}
