package convert_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert"
)

const oneDump = "2024-05-06 07:08:09\n" +
	"Full thread dump OpenJDK 64-Bit Server VM (17.0.9+9 mixed mode, sharing):\n\n" +
	"\"cook\" #21 prio=5 os_prio=0 tid=0x00007f0000000100 nid=0x101 waiting for monitor entry  [0x00007f00000f0000]\n" +
	"   java.lang.Thread.State: BLOCKED (on object monitor)\n" +
	"\tat shop.Kitchen.cook(Kitchen.java:12)\n" +
	"\t- waiting to lock <0x0000000600000010> (a shop.Oven)\n\n" +
	"JNI global refs: 4, weak refs: 0\n"

// TestDumpInLog: a thread dump is found after megabytes of a log, with Windows' line ends, with a prefix, and
// compressed. A log without a dump has no known format.
func TestDumpInLog(t *testing.T) {
	log := strings.Repeat("2024-05-06 07:00:00 INFO the shop is \"open\" and {well}\n", 60_000)
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	w.Write([]byte(log + oneDump))
	w.Close()
	prefixed := "app_1  | " + strings.ReplaceAll(strings.TrimSuffix(oneDump, "\n"), "\n", "\napp_1  | ") + "\n"
	for name, text := range map[string]string{"a log": log + oneDump + log, "Windows": strings.ReplaceAll(log+oneDump, "\n", "\r\n"),
		"a prefix": log + prefixed + log, "gzip": zipped.String()} {
		blocked := 0
		for e, err := range convert.Events(context.Background(), strings.NewReader(text), convert.Options{}) {
			if err != nil {
				t.Errorf("%s: %v", name, err)
				break
			}
			if e.Kind.String() == "monContendedEnter" {
				blocked++
			}
		}
		if blocked != 1 {
			t.Errorf("%s: %d threads are blocked", name, blocked)
		}
	}
	for _, err := range convert.Events(context.Background(), strings.NewReader(log), convert.Options{}) {
		var unknown *convert.UnknownFormat
		if !errors.As(err, &unknown) {
			t.Errorf("without a dump: %v", err)
		}
	}
}

// TestSeries: several dumps are one document in the order of their times, and anything else is refused.
func TestSeries(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	later := write("later.txt", strings.Replace(oneDump, "07:08:09", "07:08:19", 1))
	inputs, err := convert.OpenInputs([]string{later, write("first.txt", oneDump)}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer inputs.Close()
	series, err := convert.Series(context.Background(), inputs.Documents)
	if err != nil {
		t.Fatal(err)
	}
	_, text, err := series.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	var read bytes.Buffer
	if _, err := read.ReadFrom(text); err != nil || !strings.HasPrefix(read.String(), "2024-05-06 07:08:09") ||
		strings.Count(read.String(), "Full thread dump") != 2 {
		t.Errorf("%v\n%s", err, read.String())
	}
	var other *convert.NotDumps
	mixed, err := convert.OpenInputs([]string{later, write("trace.trcxml", "<TRACE></TRACE>")}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer mixed.Close()
	if _, err := convert.Series(context.Background(), mixed.Documents); !errors.As(err, &other) {
		t.Errorf("a trace among dumps: %v", err)
	}
}
