package pprof_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/pprof/profile"

	"github.com/trcx/trcx/analyze/stackprofile"
	"github.com/trcx/trcx/emit/pprof"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/internal/testtool"
)

const root = "../.."

var update = flag.Bool("update", false, "write the golden files anew")

// file returns the profile of the documents, as the bytes of a file.
func file(t testing.TB, options pprof.Options, documents ...[]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	sinktest.Read(t, pprof.NewWriter(&out, options), documents...)
	return out.Bytes()
}

// parsed returns the profile in the file, which must be valid.
func parsed(t testing.TB, file []byte) *profile.Profile {
	t.Helper()
	p, err := profile.ParseData(file)
	sinktest.Check(t, err)
	sinktest.Check(t, p.CheckValid())
	return p
}

func TestGolden(t *testing.T) {
	for name, golden := range map[string]struct {
		documents []string
		options   pprof.Options
	}{
		"stacks": {[]string{"docs/testdata/stacks.trcxml"}, pprof.Options{States: stackprofile.StateNames()}},
		"deadlock": {[]string{"testdata/recorded/deadlock-jdk25.trcxml"},
			pprof.Options{States: []string{"blocked"}}},
		"two": {[]string{"docs/testdata/tour.trcxml", "docs/testdata/tour.trcxml"}, pprof.Options{States: stackprofile.StateNames()}},
	} {
		var documents [][]byte
		for _, path := range golden.documents {
			documents = append(documents, sinktest.File(t, root, path))
		}
		got := []byte(parsed(t, file(t, golden.options, documents...)).String())
		sinktest.Golden(t, filepath.Join("testdata", name+".txt"), got, *update)
	}
}

// TestSumsAreTheOracles: the values of all samples add up to the sums of the model.
func TestSumsAreTheOracles(t *testing.T) {
	for name, document := range sinktest.Documents(t, root) {
		var count, delay int64
		for _, interval := range sinktest.Intervals(t, document) {
			count++
			delay += interval.Length
		}
		var gotCount, gotDelay int64
		for _, sample := range parsed(t, file(t, pprof.Options{States: stackprofile.StateNames()}, document)).Sample {
			gotCount += sample.Value[0]
			gotDelay += sample.Value[1]
			if len(sample.Label["state"]) != 1 || len(sample.Location) == 0 {
				t.Fatalf("%s: a sample without state or call: %+v", name, sample)
			}
		}
		if gotCount != count || gotDelay != delay {
			t.Errorf("%s: %d delays of %d ns, want %d of %d", name, gotCount, gotDelay, count, delay)
		}
	}
}

// TestLabels: a sample has the stack of the delayed thread; the holder is a label.
func TestLabels(t *testing.T) {
	const text = `<TRACE><classDef name="app/Cache" sourceName="Cache.java" classId="7"/><methodDef name="load" methodId="1" classIdRef="7"/>
		<methodDef name="fill" methodId="2" classIdRef="7"/><objAlloc objId="9" classIdRef="7" time="1"/>
		<threadStart threadId="1" threadName="reader" time="1"/><threadStart threadId="2" threadName="writer" time="1"/>
		<monWait threadIdRef="2" objIdRef="9" time="2"><annotation name="stack" value="2:33"/></monWait><monWaited threadIdRef="2" objIdRef="9" time="3"/>
		<monContendedEnter threadIdRef="1" objIdRef="9" threadOwner="2" time="4"><annotation name="stack" value="1:12"/></monContendedEnter>
		<monContendedEntered threadIdRef="1" objIdRef="9" time="6"/>
		<monContendedEnter threadIdRef="2" objIdRef="9" threadOwner="0" time="7"/></TRACE>`
	const want = "app.Cache.load:12 map[holder:[writer] monitor:[app.Cache] monitor_id:[9] state:[blocked] " +
		"thread:[reader]] [1 2000000000]\n" +
		"[no call stack]:0 map[monitor:[app.Cache] monitor_id:[9] state:[blocked] thread:[writer]] [1 0]\n"
	got := ""
	for _, sample := range parsed(t, file(t, pprof.Options{States: []string{"blocked"}}, []byte(text))).Sample {
		line := sample.Location[0].Line[0]
		got += fmt.Sprintf("%s:%d %v %v\n", line.Function.Name, line.Line, sample.Label, sample.Value)
	}
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestHostileNames: pprof prints names on terminals as they are, so names must be harmless.
func TestHostileNames(t *testing.T) {
	p := parsed(t, file(t, pprof.Options{States: stackprofile.StateNames()}, sinktest.HostileDocument()))
	if len(p.Sample) != len(sinktest.Hostile) {
		t.Errorf("%d samples for %d threads", len(p.Sample), len(sinktest.Hostile))
	}
	check := func(text string) {
		if !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\x1b\n\r\t\u202E") {
			t.Errorf("%q is in the profile", text)
		}
	}
	for _, function := range p.Function {
		check(function.Name)
		check(function.SystemName)
		check(function.Filename)
	}
	for _, sample := range p.Sample {
		for _, values := range sample.Label {
			check(values[0])
		}
	}
}

// TestTool: go tool pprof opens the profile and prints what is in it.
func TestTool(t *testing.T) {
	testtool.Long(t) // Go builds go tool pprof first
	path := filepath.Join(t.TempDir(), "stacks.pb.gz")
	text, err := os.ReadFile(filepath.Join(root, "docs/testdata/stacks.trcxml"))
	sinktest.Check(t, err)
	sinktest.Check(t, os.WriteFile(path, file(t, pprof.Options{States: stackprofile.StateNames()}, text), 0o644))
	tool := exec.Command("go", "tool", "pprof", "-top", "-sample_index=delay", "-unit=ns", path)
	tool.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir())
	printed, err := tool.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, printed)
	}
	for _, want := range []string{"Type: delay", "10100000ns", "java.lang.Object.wait0", "shop.Queue.take",
		"shop.Worker.run"} {
		if !bytes.Contains(printed, []byte(want)) {
			t.Errorf("%s is missing in\n%s", want, printed)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	text, err := os.ReadFile(filepath.Join(root, "testdata/recorded/warehouse-jdk25.trcxml"))
	sinktest.Check(b, err)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		file(b, pprof.Options{States: stackprofile.StateNames()}, text)
	}
}
