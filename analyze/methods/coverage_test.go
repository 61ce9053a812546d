package methods

import (
	"fmt"
	"testing"
)

// TestCoverage compares methods that could be called with methods that were called. A called method without a signature
// that has several candidates is ambiguous: it counts for none of them.
func TestCoverage(t *testing.T) {
	trace := `<TRACE><classDef name="a/A" classId="1"/><methodDef name="x" signature="()V" methodId="1" classIdRef="1"/>` +
		`<methodDef name="-init-" methodId="2" classIdRef="1"/><methodDef name="two" methodId="3" classIdRef="1"/>` +
		`<methodDef name="never" signature="()V" methodId="4" classIdRef="1"/>` +
		entry(1, 1, "") + entry(2, 2, "") + exit(2, 3, "") + entry(3, 4, "") + exit(3, 5, "") + exit(1, 6, "") + `</TRACE>`
	s := collect(t, Options{}, trace).Sessions()[0]
	declared := []Declared{{"a.A", "x", "()V"}, {"a.A", "-init-", "()V"}, {"a.A", "two", "()V"}, {"a.A", "two", "(I)V"}, {"B", "y", "()V"}}
	c := s.Coverage(&View{Declared: declared})
	if got, want := fmt.Sprint(c.Methods, c.Called, c.Elsewhere, c.Ambiguous, c.Classes, c.Packages, c.NotCalled),
		"5 2 0 1 [{a.A 4 2} {B 1 0}] [{a 4 2} { 1 0}] [{B y ()V} {a.A two ()V} {a.A two (I)V}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	c = s.Coverage(&View{})
	if got, want := fmt.Sprint(c.Methods, c.Called, c.NotCalled), "4 3 [{a.A never ()V}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	filtered := collect(t, Options{Filter: func(_, method string) bool { return method == "x" }}, trace).Sessions()[0]
	if c := filtered.Coverage(&View{Declared: declared}); c.Methods != 1 || c.Called != 1 {
		t.Errorf("with filters: %+v", c)
	}
}

// TestStates: base times are split by what the thread did, also for methods that are left out.
func TestStates(t *testing.T) {
	element := func(name string, time int64, more string) string {
		return fmt.Sprintf(`<%s threadIdRef="1" time="0.%09d" objIdRef="7" %s`, name, time, more)
	}
	trace := `<TRACE><classDef name="A" classId="1"/><methodDef name="x" methodId="1" classIdRef="1"/><methodDef name="y" methodId="2" classIdRef="1"/>` +
		element("monWait", 1, "/>") + element("monWaited", 2, "/>") + // before all calls
		entry(1, 3, "") + element("monContendedEnter", 4, "/>") + element("monContendedEntered", 8, "/>") +
		entry(2, 10, "") + element("monWait", 11, `><annotation name="park" value="1"/></monWait>`) + element("monWaited", 27, "/>") +
		exit(2, 29, "") + element("monWait", 30, `timeout="5"/>`) + exit(1, 62, "") + `</TRACE>`
	s := collect(t, Options{}, trace).Sessions()[0]
	for _, m := range s.Tables(nil).Methods {
		if want := map[string][states]int64{"x": {4, 4, 32, 0, 0}, "y": {3, 0, 0, 0, 16}}[m.Name]; m.States != want || !s.HasWaits {
			t.Errorf("%s: got %v, want %v", m.Name, m.States, want)
		}
	}
	filtered := collect(t, Options{Filter: func(_, method string) bool { return method == "x" }}, trace).Sessions()[0]
	if got, want := filtered.Tables(nil).Methods[0].States, ([states]int64{7, 4, 32, 0, 16}); got != want {
		t.Errorf("with filters: got %v, want %v", got, want)
	}
}
