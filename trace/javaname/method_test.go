package javaname

import (
	"strings"
	"testing"
)

// TestSignature: descriptors are read whole; other text is refused, and never read beyond its end.
func TestSignature(t *testing.T) {
	for descriptor, want := range map[string]string{
		"()V":                              "(): void",
		"(ILjava/lang/String;)J":           "(int, java.lang.String): long",
		"([[BLapp/Order;[Lapp/Order;)[I":   "(byte[][], app.Order, app.Order[]): int[]",
		"(Ljava/util/Map$Entry;)Lapp/Row;": "(java.util.Map$Entry): app.Row",
	} {
		if got, ok := Signature(descriptor); got != want || !ok {
			t.Errorf("%s is %q, %v, not %q", descriptor, got, ok, want)
		}
	}
	for _, none := range []string{"", "(", ")", "()", "(I", "(I)", "(X)V", "(L;)V", "(Lapp", "()VV", "(int)", "void (int)",
		"([)V", "(" + strings.Repeat("[", 256) + "I)V"} {
		if got, ok := Signature(none); ok {
			t.Errorf("%q is %q", none, got)
		}
	}
}
