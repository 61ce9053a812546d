package csv_test

import (
	"bytes"
	standard "encoding/csv"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trcx/trcx/emit/csv"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

const root = "../.."

var update = flag.Bool("update", false, "write the golden files anew")

// tables returns both tables of the documents, as the bytes of files.
func tables(t testing.TB, documents ...[]byte) (events, interactions []byte) {
	t.Helper()
	return tablesIn(t, 0, documents...)
}

// tablesIn returns the tables, sorted in the bytes of memory.
func tablesIn(t testing.TB, memory int, documents ...[]byte) (events, interactions []byte) {
	t.Helper()
	var first, second bytes.Buffer
	w := csv.NewWriter(&first, csv.Options{Interactions: &second, TempDir: t.TempDir(), Memory: memory})
	sinktest.Read(t, w, documents...)
	sinktest.Check(t, w.Close())
	return first.Bytes(), second.Bytes()
}

// rows returns the rows of a table, each a map from columns to cells.
func rows(t testing.TB, table []byte) []map[string]string {
	t.Helper()
	reader := standard.NewReader(bytes.NewReader(table))
	records, err := reader.ReadAll() // demands that all records have as many cells as the first
	sinktest.Check(t, err)
	var all []map[string]string
	for _, record := range records[1:] {
		row := make(map[string]string)
		for i, column := range records[0] {
			row[column] = record[i]
		}
		all = append(all, row)
	}
	return all
}

func number(t testing.TB, text string) int {
	t.Helper()
	value, err := strconv.Atoi(text)
	sinktest.Check(t, err)
	return value
}

func TestGolden(t *testing.T) {
	for name, path := range map[string]string{"tour": "docs/testdata/tour.trcxml",
		"stacks": "docs/testdata/stacks.trcxml"} {
		events, interactions := tables(t, sinktest.File(t, root, path))
		for kind, got := range map[string][]byte{"events": events, "interactions": interactions} {
			sinktest.Golden(t, filepath.Join("testdata", name+"."+kind+".csv"), got, *update)
		}
	}
}

// TestRowsAreTheOracles: each event of the model has a row that agrees with the model, and so has each cause as it is
// at the end.
func TestRowsAreTheOracles(t *testing.T) {
	for name, document := range sinktest.Documents(t, root) {
		model, err := enrichtest.Model(document)
		sinktest.Check(t, err)
		events, interactions := tables(t, document)
		byID := make(map[int]map[string]string)
		for _, row := range rows(t, events) {
			byID[number(t, row["id"])] = row
		}
		if len(byID) != model.Trace.Events {
			t.Errorf("%s: %d events, want %d", name, len(byID), model.Trace.Events)
		}
		for _, thread := range model.Threads {
			for _, event := range thread.Events {
				if got, want := saidByRow(byID[event.ID]), saidByModel(thread, event); got != want {
					t.Errorf("%s: event %d: got %s, want %s", name, event.ID, got, want)
				}
			}
		}
		checkInteractions(t, name, rows(t, interactions), byID, model.Causes)
	}
}

func saidByRow(row map[string]string) string {
	return fmt.Sprintln(row["type"], row["time"], row["threadKey"], row["threadId"], row["objectId"], row["otherKey"],
		row["timeout"], row["inferred"], row["park"], row["io"])
}

func saidByModel(thread *enrichtest.Thread, e *enrichtest.Event) string {
	timeout, inferred, other, park := "", "", "", ""
	if e.Timeout != nil {
		timeout = fmt.Sprint(*e.Timeout)
	}
	if e.Inferred {
		inferred = "true"
	}
	if e.Park {
		park = "true"
	}
	if key := e.LockedThreadKey + e.JoinedThreadKey + e.ReceiverThreadKey + e.InitKey; key != 0 { // an event has one of them
		other = fmt.Sprint(key)
	}
	return fmt.Sprintln(e.Type, e.Time, thread.Key, thread.ThreadID, e.ObjectRef+e.LockedObject+e.StartedThread+
		e.InterruptedThread, other, timeout, inferred, park, e.IO)
}

var kinds = map[string]string{
	enrichtest.StartsThread: "start", enrichtest.HandoffLock: "hand-off", enrichtest.InterruptThread: "interrupt",
	enrichtest.NotifyAll: "notifyAll",
	enrichtest.Notify:    "notify", enrichtest.DeadAndNotifyJoined: "join",
}

func checkInteractions(t *testing.T, name string, interactions []map[string]string, events map[int]map[string]string,
	causes map[int]int) {
	t.Helper()
	got := make(map[int]int)
	last := 0
	for _, row := range interactions {
		cause, effect := events[number(t, row["cause"])], events[number(t, row["running"])]
		got[number(t, row["running"])] = number(t, row["cause"])
		want := fmt.Sprintln(kinds[cause["type"]], cause["time"], cause["threadKey"], cause["objectId"], cause["class"],
			cause["inferred"],
			effect["time"], effect["threadKey"], effect["threadName"], number(t, effect["time"])-number(t,
				cause["time"]))
		if said := fmt.Sprintln(row["kind"], row["causeTime"], row["actingKey"], row["objectId"], row["class"],
			row["inferred"],
			row["runningTime"], row["affectedKey"], row["affectedName"], row["latency"]); said != want {
			t.Errorf("%s: got %s, want %s", name, said, want)
		}
		if number(t, row["cause"]) < last {
			t.Errorf("%s: cause %s comes after %d", name, row["cause"], last)
		}
		last = number(t, row["cause"])
	}
	if !maps.Equal(got, causes) || len(interactions) != len(causes) {
		t.Errorf("%s: the causes are %v, want %v", name, got, causes)
	}
}

func TestSpillingChangesNothing(t *testing.T) {
	testtool.Long(t)
	for seed := range testtool.Times(uint64(20)) {
		documents := [][]byte{enrichtest.Simulate(seed, 300).XML, enrichtest.Chaos(seed, 300).XML}
		_, want := tables(t, documents...)
		for _, bytesKept := range []int{1, 500, 20_000} {
			_, got := tablesIn(t, bytesKept, documents...)
			if !bytes.Equal(got, want) {
				t.Fatalf("seed %d: with %d bytes in memory the table is another one", seed, bytesKept)
			}
		}
	}
}

func TestTemporaryFilesAreRemoved(t *testing.T) {
	folder := t.TempDir()
	w := csv.NewWriter(io.Discard, csv.Options{Interactions: io.Discard, TempDir: folder, Memory: 100})
	sinktest.Read(t, w, enrichtest.Simulate(1, 300).XML)
	sinktest.Check(t, w.Close())
	sinktest.Check(t, w.Close())
	if left, _ := os.ReadDir(folder); len(left) != 0 {
		t.Errorf("%v is left over", left)
	}
}

// TestHostileNames: every name is read back, as far as text can hold it, and no cell is a formula.
func TestHostileNames(t *testing.T) {
	events, interactions := tables(t, sinktest.HostileDocument())
	names := make(map[string]bool)
	for _, table := range [][]byte{events, interactions} {
		if !utf8.Valid(table) || bytes.ContainsAny(table, "\x00\x1b") {
			t.Error("a table is not plain text")
		}
		for _, row := range rows(t, table) {
			for column, cell := range row {
				if cell == "" || column == "latency" || column == "time" {
					continue
				}
				if strings.ContainsAny(string([]rune(cell)[:1]), "=+-@\t\r\n＝＋－＠") {
					t.Errorf("%q in the column %s can be taken for a formula", cell, column)
				}
				names[cell] = true
			}
		}
	}
	for _, want := range []string{`quo"te and back\slash\`, "'=1+2", "'+1", "'-1", "'@SUM(A1)", "'\ttab first",
		"blanks at the end  ", " ", `"a","b"`, "a,b", "NUL \uFFFD inside",
		"\uFFFD lone surrogate", "emoji 😀", "\u202Eesrever", "'quoted'",
		"two\nlines\nand a tab\t" /* of \r\n, readers make \n */} {
		if !names[want] {
			t.Errorf("%q is in no cell", want)
		}
	}
}

// broken is a disk that is full.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestErrorsOfWritingAreTold(t *testing.T) {
	for _, w := range []*csv.Writer{csv.NewWriter(broken{}, csv.Options{Interactions: io.Discard}), csv.NewWriter(io.Discard, csv.Options{Interactions: broken{}})} {
		var document bytes.Buffer
		document.WriteString("<TRACE>")
		for i := range 3000 {
			fmt.Fprintf(&document,
				`<callStart threadId="1" objIdRef="%[1]d" time="1"/><threadStart threadId="%[1]d" objIdRef="%[1]d" time="1"/>`, i+5)
		}
		if err := sinktest.TryRead(w, document.Bytes()); err == nil {
			t.Error("nothing is said")
		}
		sinktest.Check(t, w.Close())
	}
}

func BenchmarkWrite(b *testing.B) {
	var documents [][]byte
	size := 0
	for seed := range uint64(10) {
		documents = append(documents, enrichtest.Simulate(seed, 2000).XML)
		size += len(documents[seed])
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		w := csv.NewWriter(io.Discard, csv.Options{Interactions: io.Discard, TempDir: b.TempDir()})
		sinktest.Read(b, w, documents...)
		sinktest.Check(b, w.Close())
	}
}

// TestSelection: a selection has the rows of its Running events. For causes outside of it they state the thread and the
// time.
func TestSelection(t *testing.T) {
	strange := 0
	for name, document := range sinktest.Documents(t, root) {
		_, whole := tables(t, document)
		full := make(map[string]map[string]string)
		for _, row := range rows(t, whole) {
			full[row["running"]] = row
		}
		var first, second bytes.Buffer
		w := csv.NewWriter(&first, csv.Options{Interactions: &second, TempDir: t.TempDir()})
		sinktest.Read(t, &odd{Sink: w}, document)
		sinktest.Check(t, w.Close())
		expected := 0
		for _, row := range full {
			if number(t, row["affectedKey"])%2 == 1 {
				expected++
			}
		}
		part := rows(t, second.Bytes())
		if len(part) != expected {
			t.Errorf("%s: %d interactions, want %d", name, len(part), expected)
		}
		for _, row := range part {
			want := full[row["running"]]
			known := number(t, row["actingKey"])%2 == 1
			for column, cell := range row {
				alsoStrange := strings.HasPrefix(column, "cause") || strings.HasPrefix(column, "acting") ||
					strings.HasPrefix(column, "affected") ||
					strings.HasPrefix(column, "running") || column == "latency" || column == "session"
				// A name may have become known between the cause and the end.
				if wanted := want[column]; (known || alsoStrange) && cell != wanted &&
					!(column == "actingName" && wanted == "") {
					t.Errorf("%s: running %s: %s is %q, want %q", name, row["running"], column, cell, wanted)
				}
				if !known && !alsoStrange && cell != "" {
					t.Errorf("%s: running %s: %s is %q of a cause that is not selected", name, row["running"], column,
						cell)
				}
			}
			if !known {
				strange++
			}
		}
	}
	if strange == 0 {
		t.Error("no cause was outside of the selection; the test shows nothing")
	}
}

// odd selects the events of threads with odd keys.
type odd struct{ trace.Sink }

func (o *odd) Put(r trace.Record) error {
	if e, ok := r.(*trace.ModelEvent); ok && e.Thread.Key%2 == 0 {
		return nil
	}
	return o.Sink.Put(r)
}
