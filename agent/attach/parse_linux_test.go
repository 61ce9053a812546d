package attach

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestParseStatus(t *testing.T) {
	for text, want := range map[string]status{
		"Name:\tjava\nState:\tS " +
			"(sleeping)\nTgid:\t7080\nUid:\t0\t1000\t0\t0\nNStgid:\t7080\t12\t1\nSigCgt:\t2000000101005ccd\n": {
			name: "java", state: "S", group: 7080, inside: 1, uid: 1000, caught: 0x2000000101005ccd},
		"Name:\ta b:c\nState:\tZ (zombie)\nTgid:\t5\nUid:\t7\t8\t9\t10\nSigCgt:\t0000000000000004\n": {
			name: "a b:c", state: "Z", group: 5, inside: 5, uid: 8, caught: 4}, // a kernel without pid namespaces
		"Name:\tjava\nState:\tt (tracing stop)\nTracerPid:\t42\n": {name: "java", state: "t", tracer: 42},
		"": {},
	} {
		got, err := parseStatus(text)
		if err != nil || got != want {
			t.Errorf("%q: got %+v, %v, want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"Tgid:\tx\n", "SigCgt:\txyz\n", "Uid:\t1\tx\n", "NStgid:\t1\tx\nTgid:\t1\n"} {
		if got, err := parseStatus(text); err == nil {
			t.Errorf("%q: got %+v", text, got)
		}
	}
	for caught, want := range map[uint64]bool{0: false, 1 << 2: true, 1 << 1: false, 1 << 3: false, 0x5ccd: true} {
		if got := (status{caught: caught}).catchesQuit(); got != want {
			t.Errorf("%#x: SIGQUIT is caught: %v", caught, got)
		}
	}
}

func TestParseMaps(t *testing.T) {
	line := func(path string) string {
		return "7fc2daa00000-7fc2dac51000 r--p 00000000 fe:00 315152                     " + path + "\n"
	}
	jvm, libc := line("/usr/lib/jvm/jdk 17/lib/server/libjvm.so"), line("/lib/x86_64-linux-gnu/libc.so.6")
	for _, c := range []struct{ name, maps, library, agent, err string }{
		{"HotSpot", libc + jvm + libc, "/usr/lib/jvm/jdk 17/lib/server/libjvm.so", "", ""},
		{"updated", line("/jdk/lib/server/libjvm.so (deleted)"), "/jdk/lib/server/libjvm.so", "", ""},
		{"none", libc + line("[heap]") + line("") + line("/opt/notlibjvm.so") + line("/opt/libjvm.so.txt") +
			line("/libjvm.so/x"), "", "", "it has no libjvm.so"},
		{"empty", "", "", "", "it has no libjvm.so"},
		{"OpenJ9", jvm + line("/opt/java/lib/default/libj9vm29.so"), "", "", "OpenJ9"},
		{"musl", line("/lib/ld-musl-x86_64.so.1") + jvm, "", "", "musl"},
		{"musl after libjvm", jvm + line("/lib/libc.musl-x86_64.so.1"), "", "", "musl"},
		{"long", line("/" + strings.Repeat("x", 1<<17)), "", "", "token too long"},
		{"agent", jvm + line("/opt/libtrcxagent.so.txt") + line("/root/.cache/trcx/0b-libtrcxagent.so"),
			"/usr/lib/jvm/jdk 17/lib/server/libjvm.so", "/root/.cache/trcx/0b-libtrcxagent.so", ""},
		{"deleted agent", jvm + line("/opt/libtrcxagent.so (deleted)"), "/usr/lib/jvm/jdk 17/lib/server/libjvm.so", "", ""},
	} {
		library, agent, err := parseMaps(strings.NewReader(c.maps))
		if library != c.library || agent != c.agent || (err == nil) != (c.err == "") || err != nil &&
			!strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: got %q, %v", c.name, library, err)
		}
	}
}

func TestDisabledBy(t *testing.T) {
	const on, off = "-XX:+DisableAttachMechanism", "-XX:-DisableAttachMechanism"
	for _, c := range []struct{ arguments, environment, want string }{
		{"java Main", "PATH=/bin", ""},
		{"java " + on + " Main", "", "on its command line"},
		{"java " + on + " " + off + " Main", "", ""},
		{"java Main", "JAVA_TOOL_OPTIONS=-Dx " + on, "JAVA_TOOL_OPTIONS"},
		{"java " + off + " Main", "JAVA_TOOL_OPTIONS=" + on, ""},
		{"java " + off + " Main", "_JAVA_OPTIONS=" + on, "_JAVA_OPTIONS"},
		{"java Main", "JDK_JAVA_OPTIONS=" + on, "JDK_JAVA_OPTIONS"},
		{"java -Dx=" + on + " Main", "MY_JAVA_TOOL_OPTIONS=" + on, ""},
	} {
		if got := disabledBy(strings.Split(c.arguments, " "), []string{"A=b", c.environment}); got != c.want {
			t.Errorf("%+v: got %q", c, got)
		}
	}
}

func TestEncode(t *testing.T) {
	for want, request := range map[string][]string{
		"1\x00properties\x00\x00\x00\x00":                        {"properties"},
		"1\x00load\x00/lib.so\x00true\x00a=b,c\x00":              {"load", "/lib.so", "true", "a=b,c"},
		"1\x00x\x00\x00\x00" + strings.Repeat("é", 512) + "\x00": {"x", "", "", strings.Repeat("é", 512)},
	} {
		if got, err := encode(request[0], request[1:]...); err != nil || string(got) != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	for want, arguments := range map[string][]string{
		"a JVM accepts 3 arguments, not 4":                     {"a", "b", "c", "d"},
		"accepts options and paths of 1024 bytes, not of 1025": {strings.Repeat("x", 1025)},
		"a zero byte cannot be a part":                         {"", "", "a\x00"},
	} {
		_, err := encode("x", arguments...)
		checkError(t, err, want)
	}
}

// TestAnswers parses answers of the JVMs named next to them.
func TestAnswers(t *testing.T) {
	const (
		loaded  = "loaded"
		missing = "/x.so was not loaded.\n/x.so: cannot open shared object file\n"
		said    = "/x.so was not loaded. /x.so: cannot open shared object file"
		dynamic = "Dynamic agent loading is not enabled. Use -XX:+EnableDynamicAgentLoading to launch target VM."
	)
	for text, want := range map[string]string{
		"0\nreturn code: 0\n":              loaded, // JDK 9 and later
		"0\n0\n":                           loaded, // JDK 8
		"0\nreturn code: -1\n":             "refused to start (return code -1)",
		"0\n100\n":                         "refused to start (return code 100)",
		"-1\n" + missing:                   said, // JDK 17
		"0\n" + missing:                    said, // JDK 25
		"-1\n" + dynamic:                   dynamic,
		"-1\n":                             "code -1",
		"0\n":                              "code 0",
		"-1\nreturn code: 0\n":             "code -1",
		"0\nreturn code: much":             "code 0",
		"101\nbad":                         "does not support version 1 of the attach protocol",
		"hello\n":                          "the JVM's answer cannot be parsed: \"hello\\n\"",
		"\n":                               "cannot be parsed",
		"0\n" + strings.Repeat("x", 1<<20): "xxx",
	} {
		got, err := parseAnswer([]byte(text))
		if err == nil {
			err = got.loaded(JVM{PID: 1, Name: "java"})
		}
		if want == loaded {
			if err != nil {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		checkError(t, err, want)
		if refused := (*AgentError)(nil); errors.As(err, &refused) != strings.HasPrefix(want, "refused") ||
			len(fmt.Sprint(err)) > 600 {
			t.Errorf("%.40q: %.600v", text, err)
		}
	}
}

// FuzzAnswers proves that only an answer of success is parsed as success.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte("0\nreturn code: 0\n"))
	f.Add([]byte("0\n0"))
	f.Add([]byte("-1\nnot loaded"))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := parseAnswer(text)
		if err != nil {
			return
		}
		if err := got.loaded(JVM{}); err == nil && (got.code != 0 || !strings.Contains(string(text), "0")) ||
			err != nil && len(err.Error()) > 1000 {
			t.Errorf("%q: %v", text, err)
		}
	})
}
