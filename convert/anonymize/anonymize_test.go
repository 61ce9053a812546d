package anonymize

import "testing"

// TestClassNames: classes of the JDK and primitive types stay; any other class has one replacement in all its
// spellings.
func TestClassNames(t *testing.T) {
	n := newNames([]byte("key"))
	acme := n.class("com.acme.Cache$Entry")
	slashed := n.class("com/acme/Cache$Entry")
	for name, want := range map[string]string{
		"java.lang.Object": "java.lang.Object", "[I": "[I", "int": "int", "int[]": "int[]", "": "",
		"[Ljava/lang/String;": "[Ljava/lang/String;", "jdk/internal/misc/Unsafe": "jdk/internal/misc/Unsafe",
		"com.acme.Cache$Entry[]": acme + "[]", "[[Lcom/acme/Cache$Entry;": "[[L" + slashed + ";", "*": "*",
	} {
		if got := n.class(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	if acme[len("anonymous."):] != slashed[len("anonymous/"):] || acme[:10] != "anonymous." {
		t.Errorf("got %s and %s", acme, slashed)
	}
	for _, user := range []string{"sunny.Cache", "javax2.Cache", "java", "Cache", "com.sun.Cache"} {
		if n.class(user) == user {
			t.Errorf("%s stays", user)
		}
	}
}

// TestSignatures: the classes in signatures are replaced, in the JVM's form and in the form for people.
func TestSignatures(t *testing.T) {
	n := newNames([]byte("key"))
	user := n.class("acme/Lock")
	dotted := n.class("acme.Lock")
	for text, want := range map[string]string{
		"()V": "()V", "(IJ)Ljava/lang/String;": "(IJ)Ljava/lang/String;",
		"(ILacme/Lock;[[Lacme/Lock;D)Lacme/Lock;": "(IL" + user + ";[[L" + user + ";D)L" + user + ";",
		"(int, acme.Lock[])":                      "(int, " + dotted + "[])",
		"(java.util.List<acme.Lock>)":             "(java.util.List<" + dotted + ">)",
	} {
		if got := n.signature(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// TestThreadNames: threads of a pool stay recognizable as such.
func TestThreadNames(t *testing.T) {
	n := newNames([]byte("key"))
	first, second := n.thread("orders-1"), n.thread("orders-23")
	if first[:len(first)-1] != second[:len(second)-2] || first[len(first)-2:] != "-1" || second[len(second)-3:] != "-23" {
		t.Errorf("got %s and %s", first, second)
	}
	for _, name := range []string{"main", "DestroyJavaVM", "Finalizer"} {
		if got := n.thread(name); got != name {
			t.Errorf("%s: got %s", name, got)
		}
	}
	if got := n.thread("4711"); got == "4711" || got[len(got)-5:] == "-4711" {
		t.Errorf("4711: got %s", got)
	}
}
