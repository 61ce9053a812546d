package trace

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for k := Foreign + 1; k < KindCount; k++ {
		element := k.Element()
		if element.Name == "" || element.Summary == "" || seen[element.Name] {
			t.Errorf("row %d: the name %q is missing or occurs twice, or the summary is missing", k, element.Name)
		}
		seen[element.Name] = true
		if Lookup([]byte(element.Name)) != k {
			t.Errorf("%s: not found by name", element.Name)
		}
		if len(element.Attributes) > maxAttributes {
			t.Errorf("%s: more than maxAttributes attributes", element.Name)
		}
		for i, a := range element.Attributes {
			if a.Name == "" || element.Position(a.Attr) != i {
				t.Errorf("%s: attribute %d occurs twice or has no name", element.Name, i)
			}
			if (a.Link != NoLink) != (a.Space != NoSpace) || a.Link != NoLink && a.Type != Identifier {
				t.Errorf("%s %s: a link needs a space and an id", element.Name, a.Name)
			}
		}
	}
	if len(seen) != 52 {
		t.Errorf("the table has %d elements; public material knows 49, and the two spellings of objectReference; "+
			"agMethodEntry and agMethodExit are known by their names",
			len(seen))
	}
}

// TestOtherSpellings: an id is found by its name with Ref and without; an attribute of exactly that name takes
// precedence.
func TestOtherSpellings(t *testing.T) {
	for k := Foreign + 1; k < KindCount; k++ {
		element := k.Element()
		for i, a := range element.Attributes {
			other, isReference := strings.CutSuffix(a.Name, "Ref")
			if !isReference {
				other += "Ref"
			}
			position, proper := element.Find([]byte(other))
			switch {
			case a.Type != Identifier || a.Attr == AttrThreadOwner:
				if a.Alias != "" {
					t.Errorf("%s: %s is no id, and is read as %s too", element.Name, a.Name, a.Alias)
				}
			case proper && element.Attributes[position].Name != other, !proper && position != i:
				t.Errorf("%s: %s is taken for the attribute %d", element.Name, other, position)
			}
		}
	}
	for kind, spelling := range map[Kind]string{ThreadEnd: "threadId", CallStart: "objId", CallNotify: "threadIdRef",
		ObjDef: "objIdRef", MethodEntry: "classId", TraceStart: "agentId"} {
		if position, proper := kind.Element().Find([]byte(spelling)); position < 0 || proper {
			t.Errorf("%v: %s is not the other spelling of anything", kind, spelling)
		}
	}
}

func TestThreadAndMonitorEvents(t *testing.T) {
	events := map[Kind]Attr{
		ThreadStart: AttrThreadID, ThreadEnd: AttrThreadIDRef, MonContendedEnter: AttrThreadIDRef,
		MonContendedEntered: AttrThreadIDRef, MonWait: AttrThreadIDRef, MonWaited: AttrThreadIDRef,
		CallStart:     AttrThreadID,
		CallInterrupt: AttrThreadID, CallNotify: AttrThreadID, ThreadInterrupted: AttrThreadID,
	}
	for k := range KindCount {
		element := k.Element()
		thread, acts := events[k]
		if changes := len(element.States)+len(element.Instants) > 0; changes != acts {
			t.Errorf("%s: has an effect on threads: %v, want %v", k, changes, acts)
		}
		if acts && element.Thread() != thread {
			t.Errorf("%s: the acting thread is %v, want %v", k, element.Thread(), thread)
		}
	}
}

func TestParseTime(t *testing.T) {
	for _, c := range []struct {
		text    string
		want    Time
		reading Reading
	}{
		{"1164203541.123456789", 1164203541123456789, Exact},
		{"1164203541.5", 1164203541500000000, Exact},
		{"1164203541", 1164203541000000000, Exact},
		{"0", 0, Exact},
		{"0.000000001", 1, Exact},
		{"0000000001.000000001", 1000000001, Exact},
		{"1.1234567899", 1123456789, Truncated},
		{"1.000000000", 1000000000, Exact},
		{"9223372035.999999999", 9223372035999999999, Exact},
		{"9223372036", 9223372036000000000, Exact}, {"9223372036.854775807", math.MaxInt64, Exact},
		{"9223372036.854775808", 0, Unreadable}, {"9223372037", 0, Unreadable},
		{"123456789012345678901234567890", 0, Unreadable},
		{"", 0, Unreadable}, {"1.", 0, Unreadable}, {".5", 0, Unreadable}, {"-1", 0, Unreadable},
		{"1e9", 0, Unreadable},
		{"1,5", 0, Unreadable}, {" 1", 0, Unreadable}, {"1164203541.12345678x", 0, Unreadable},
		{"116420354x.123456789", 0, Unreadable}, {"1.00000000000x", 0, Unreadable}, {"NaN", 0, Unreadable},
	} {
		got, reading := ParseTime([]byte(c.text))
		if reading != c.reading || reading != Unreadable && got != c.want {
			t.Errorf("ParseTime(%q) = %d, %d; want %d, %d", c.text, got, reading, c.want, c.reading)
		}
	}
}

func TestTimeRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		want := Time(random.Int64N(maxSeconds*nanosPerSecond) >> random.IntN(63))
		got, reading := ParseTime([]byte(want.String()))
		if got != want || reading != Exact {
			t.Fatalf("%d is written as %s and read as %d", want, want, got)
		}
	}
	for _, c := range []struct {
		t    Time
		want string
	}{{-1, "-0.000000001"}, {-1_500_000_000, "-1.500000000"}, {-1 << 63, "-9223372036.854775808"}} {
		if got := c.t.String(); got != c.want {
			t.Errorf("%d is written as %s, want %s", int64(c.t), got, c.want)
		}
	}
}

func TestIDsKeepTheirText(t *testing.T) {
	for _, text := range []string{"", "0", "1", "-1", "-2", "007", "4711", "999999999999999999", "1000000000000000000",
		"18446744073709551616", "0x7f3a", "a", " 1", "１"} {
		id := ObjectFrom([]byte(text))
		if id.String() != text || string(id.AppendTo(nil)) != text {
			t.Errorf("%q comes back as %q and %q", text, id, id.AppendTo(nil))
		}
		if id.Known() != (text != "") {
			t.Errorf("%q: known is %v", text, id.Known())
		}
		if want := text != "" && text != "0" && text != "-1"; id.IsObject() != want {
			t.Errorf("%q: IsObject is %v", text, id.IsObject())
		}
	}
}

func TestEscapeJava(t *testing.T) {
	for plain, escaped := range map[string]string{
		"main":                      "main",
		"a\x00b":                    `a\u0000b`,
		"\x1b[31m":                  `\u001B[31m`,
		"\uFFFE":                    `\uFFFE`,
		"\xED\xA0\x80":              `\uD800`,
		"\xFF":                      `\xFF`,
		`C:\user`:                   `C:\user`,
		`\u0041`:                    `\u0041`,
		`\u0000`:                    `\u005Cu0000`,
		`\u005C`:                    `\u005Cu005C`,
		`\xFF`:                      `\u005CxFF`,
		`\x41`:                      `\x41`,
		"tab\tline\nreturn\r\u0085": "tab\tline\nreturn\r\u0085",
		"\U0001F600":                "\U0001F600",
	} {
		if got := string(EscapeJava(nil, plain)); got != escaped {
			t.Errorf("EscapeJava(%q) = %q, want %q", plain, got, escaped)
		}
		if got := unescapeJava([]byte(escaped)); got != plain {
			t.Errorf("unescapeJava(%q) = %q, want %q", escaped, got, plain)
		}
	}
}

func FuzzEscapeJava(f *testing.F) {
	for _, seed := range []string{"main", "a\x00b", `\u005Cu0000`, `\\u0000`, "\xED\xA0\x80\xED", `\xFF\`,
		strings.Repeat(`\`, 9)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		escaped := EscapeJava(nil, s)
		for _, r := range string(escaped) {
			if !isXMLChar(r) || r == 0xFFFD && !strings.ContainsRune(s, 0xFFFD) {
				t.Fatalf("%q is escaped as %q, which no XML document can carry", s, escaped)
			}
		}
		if got := unescapeJava(escaped); got != s {
			t.Fatalf("%q is escaped as %q, which is read as %q", s, escaped, got)
		}
	})
}
