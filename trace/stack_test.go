package trace

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestStacks(t *testing.T) {
	for text, want := range map[string]string{
		"7":                      "7@-1",
		"7:0":                    "7@0",
		"7:12 8 9:2147483647":    "7@12 8@-1 9@2147483647",
		"7:007":                  "7@7",
		"a/b<c>&\"':3 \t\n ж":    "a/b<c>&\"'@3 \t\n@-1 ж@-1",
		"-1 0":                   "-1@-1 0@-1",
		"7 7 7":                  "7@-1 7@-1 7@-1",
		"":                       "",
		" ":                      "",
		" 7":                     "",
		"7 ":                     "",
		"7  8":                   "",
		":":                      "",
		":5":                     "",
		"7:":                     "",
		"7:-1":                   "",
		"7:+1":                   "",
		"7:1.5":                  "",
		"7:1:2":                  "",
		"7:0x1F":                 "",
		"7:٣":                    "",
		"7:2147483648":           "",
		"7:99999999999999999999": "",
		"7 8:x 9":                "",
	} {
		if got := frames(text); got != want {
			t.Errorf("%q has the frames %q, want %q", text, got, want)
		}
	}
}

// frames lists the frames of a text; "" if it is not a stack.
func frames(text string) string {
	if !IsStack([]byte(text)) {
		return ""
	}
	var all []string
	for method, line := range Frames([]byte(text)) {
		all = append(all, fmt.Sprintf("%s@%d", method, line))
	}
	return strings.Join(all, " ")
}

// TestFramesCanBeLeft proves that an iteration over frames can be ended early and repeated.
func TestFramesCanBeLeft(t *testing.T) {
	stack := Frames([]byte("7:1 8:2"))
	for range 2 {
		for method, line := range stack {
			if string(method) != "7" || line != 1 {
				t.Errorf("the first frame is %s, line %d", method, line)
			}
			break
		}
	}
}

// FuzzStack compares with a regular expression what a stack is, and writes its frames again.
func FuzzStack(f *testing.F) {
	for _, seed := range []string{"7", "7:12 8 9:2147483647", "", " 7", "7  8", "7:", "7:007", "7:2147483648", "a:b",
		"ж:1 \xff", strings.Repeat("1 ", 999) + "1:1"} {
		f.Add(seed)
	}
	form := regexp.MustCompile(`^[^ :]+(?::([0-9]+))?$`)
	f.Fuzz(func(t *testing.T, text string) {
		var want []string
		ok := true
		for _, frame := range strings.Split(text, " ") {
			parts := form.FindStringSubmatch(strings.ToValidUTF8(frame, "?"))
			if ok = ok && parts != nil; !ok {
				break
			}
			line := int64(NoLine)
			if parts[1] != "" {
				var err error
				line, err = strconv.ParseInt(parts[1], 10, 64)
				ok = ok && err == nil && line <= math.MaxInt32
			}
			method, _, _ := strings.Cut(frame, ":")
			want = append(want, fmt.Sprintf("%s@%d", method, line))
		}
		if IsStack([]byte(text)) != ok {
			t.Fatalf("%q is a stack: %v, want %v", text, !ok, ok)
		}
		if got := frames(text); ok && got != strings.Join(want, " ") {
			t.Fatalf("%q has the frames %q, want %q", text, got, want)
		}
	})
}

func TestSameMethod(t *testing.T) {
	method := ModelMethod{Class: "app/Main", Name: "run", File: "Main.java", Number: 1}
	again := method
	again.Number = 2
	if !method.Same(&method) || !method.Same(&again) {
		t.Error("a method that is described again is another one")
	}
	for _, other := range []ModelMethod{{"app/Other", "run", "Main.java", 1}, {"app/Main", "stop", "Main.java", 1},
		{"app/Main", "run", "", 1}, {}} {
		if method.Same(&other) || other.Same(&method) {
			t.Errorf("%+v is said to be %+v", other, method)
		}
	}
}

func TestMethodTitle(t *testing.T) {
	for method, want := range map[ModelMethod]string{
		{}: "", {Name: "run"}: "run", {Class: "app/Main"}: "app.Main.",
		{Class: "app/Main$1", Name: "run"}:  "app.Main$1.run",
		{Class: "app/Main", Name: "-init-"}: "app.Main.<init>", {Class: "Main", Name: "-clinit-"}: "Main.<clinit>",
		{Name: "-init-"}: "<init>",
	} {
		if got := method.Title(); got != want {
			t.Errorf("%+v is called %q, want %q", method, got, want)
		}
	}
}
