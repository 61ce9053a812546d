package enrich

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trcx/trcx/trace"
)

// TestOuters: the calls below a place are the program's own, the innermost ones, and equal ones are the same.
func TestOuters(t *testing.T) {
	frames := func(calls ...string) (all []trace.Frame) {
		for i, call := range calls {
			class, method, _ := strings.Cut(call, ".")
			all = append(all, trace.Frame{Method: &trace.ModelMethod{Class: class, Name: method}, Line: int32(i)})
		}
		return all
	}
	skips := func(m *trace.ModelMethod) bool { return strings.HasPrefix(m.Class, "org/") }
	for _, c := range []struct {
		most   int
		frames []trace.Frame
		want   string
	}{
		{0, frames("app/Main.sleep", "app/Main.run"), ""},
		{2, frames("app/Main.sleep"), ""},
		{2, frames("java/lang/Thread.sleep", "app/Main.sleep", "app/Main.run"), "app.Main.run:2"},
		{2, frames("app/Main.a", "app/Main.b", "app/Main.c", "app/Main.d"), "app.Main.b:1 app.Main.c:2"},
		{3, frames("app/Main.a", "app/Main.b", "app/Main.c", "app/Main.d"), "app.Main.b:1 app.Main.c:2 app.Main.d:3"},
		{2, frames("app/Main.a", "java/util/ArrayList.forEach", "org/spring/Tx.call", "app/Main.b", "com/sun/A.run"),
			"app.Main.b:3"},
		{2, frames("java/io/A.a", "java/io/B.b", "org/spring/Tx.call", "sun/C.c"), "java.io.B.b:1 sun.C.c:3"},
		{2, frames("app/Main.a", "app/Main."), ""},
	} {
		o := outers{most: c.most}
		site, _, _ := siteOf(c.frames, skips)
		outer := o.of(c.frames, site, skips)
		var got []string
		if outer != nil {
			for _, f := range outer.Frames {
				got = append(got, fmt.Sprintf("%s:%d", f.Method.Title(), f.Line))
			}
			for i := range c.frames { // defined anew
				method := *c.frames[i].Method
				c.frames[i].Method = &method
			}
			if again := o.of(c.frames, site, skips); again != outer {
				t.Errorf("%s: equal calls are kept twice", c.want)
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("got %q, want %q", text, c.want)
		}
	}
	o := outers{most: 1}
	for i := range maxOuters + 2 {
		f := frames("app/Main.a", "app/Main.b")
		f[1].Line = int32(i)
		if outer := o.of(f, 0, nil); (outer == nil) != (i >= maxOuters) || outer != nil && int(outer.Number) != i+1 {
			t.Fatalf("the calls %d are %+v", i, outer)
		}
	}
}
