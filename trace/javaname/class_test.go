package javaname

import "testing"

// TestHiddenClassNames: every form of a hidden class's name becomes the one that traces have; other names stay.
func TestHiddenClassNames(t *testing.T) {
	const own = "app/Main$$Lambda.0x00007f0b08001000"
	for name, want := range map[string]string{
		"app/Main$$Lambda.0x00007f0b08001000":               own,
		"app/Main$$Lambda+0x00007f0b08001000":               own,
		"app.Main$$Lambda/0x00007f0b08001000":               own,
		"app/Main$$Lambda/0x00007f0b08001000":               own,
		"app.Main$$Lambda+0x00007f0b08001000/937773018":     own,
		"app.Main$$Lambda$72+0x00007fbf08042598/1418334255": "app/Main$$Lambda$72.0x00007fbf08042598",
		"app.Main$$Lambda$1/937773018":                      "app/Main$$Lambda$1.937773018",
		"app/Main$$Lambda$1/937773018":                      "app/Main$$Lambda$1.937773018",
		"Main/0x1":                                          "Main.0x1",
		"[Lapp/Main$$Lambda+0x00007f0b08001000;":            "[L" + own + ";",
		"[[Lapp.Main$$Lambda/0x00007f0b08001000;":           "[[L" + own + ";",
		"java.lang.invoke.LambdaForm$MH/0x00007f0b08001000": "java/lang/invoke/LambdaForm$MH.0x00007f0b08001000",
	} {
		if got, ok := HiddenClass(name); got != want || !ok {
			t.Errorf("%q is %q, not %q", name, got, want)
		}
		if again, _ := HiddenClass(want); again != want {
			t.Errorf("%q becomes %q", want, again)
		}
	}
	for _, name := range []string{"", "java/lang/Object", "java.lang.Object", "[Ljava/lang/Object;", "[I", "[", "[L;",
		"/0x1", "+0x", "a/0x", "a/0xg", "a/1", "app/Main$1", "int", "1", "/1"} {
		if got, ok := HiddenClass(name); got != name || ok {
			t.Errorf("%q becomes %q", name, got)
		}
	}
}

// TestJavaClassNames proves that classes and arrays are written as Java programs write them, and that other names stay.
func TestJavaClassNames(t *testing.T) {
	for name, want := range map[string]string{
		"": "", "app/Main": "app.Main", "[I": "int[]", "[[Z": "boolean[][]", "[Ljava/lang/String;": "java.lang.String[]",
		"[[Lapp/Main$1;": "app.Main$1[][]", "[": "[", "[X": "[X", "[L;": "[L;", "[Lapp/Main": "[Lapp.Main", "I": "I",
		"java.lang.Class": "java.lang.Class",
	} {
		if got := Class(name); got != want {
			t.Errorf("%q is written %q, want %q", name, got, want)
		}
	}
}
