package allocation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/emit/answers"
	"github.com/trcx/trcx/trace"
)

// life is an object of the simulation: its class, size, and the indexes of its records.
type life struct {
	class string
	size  uint64
	born  int
	free  int // 0 while it lives
}

// simulate returns a random recording: allocations, frees after collections, some of them full.
func simulate(r *rand.Rand) (records []trace.Record, lives []life) {
	records = append(records, &trace.Origin{Time: 1000})
	open := []int{}
	next, ids := trace.Time(1000), uint64(1)
	id := map[int]trace.ObjectID{}
	numbered, full := r.IntN(2) == 0, uint64(0)
	for range 20 + r.IntN(400) {
		next += trace.Time(r.IntN(3))
		switch r.IntN(8) {
		case 0:
			c := &trace.Collection{Time: next, End: next}
			if numbered { // with several pauses of one full collection, and others in between
				full += uint64(r.IntN(2))
				c.Full, c.FullKnown = full*uint64(r.IntN(2)), true
			} else {
				c.Name = []string{"", "", "G1New: x", "G1Full: System.gc()"}[r.IntN(4)]
			}
			records = append(records, c)
		case 1, 2:
			if len(open) == 0 {
				continue
			}
			i := r.IntN(len(open))
			at := open[i]
			open = slices.Delete(open, i, i+1)
			lives[at].free = len(records)
			records = append(records, &trace.Free{Time: next, Object: id[at]})
			if r.IntN(3) == 0 { // the id is used again
				ids, _ = id[at].Number()
			}
		default:
			o := life{fmt.Sprint("C", r.IntN(3)), uint64(8 * (1 + r.IntN(10))), len(records), 0}
			id[len(lives)] = trace.ObjectFrom([]byte(fmt.Sprint(ids)))
			for used := true; used; {
				used = slices.ContainsFunc(open, func(i int) bool { return id[i] == id[len(lives)] })
				if used {
					ids += 1000
					id[len(lives)] = trace.ObjectFrom([]byte(fmt.Sprint(ids)))
				}
			}
			records = append(records, &trace.Allocation{Time: next, Object: id[len(lives)], Class: o.class, Size: o.size})
			open = append(open, len(lives))
			lives = append(lives, o)
			ids++
		}
	}
	return append(records, &trace.Summary{}), lives
}

// naive computes a row from the definitions, which it evaluates for each object anew.
type naive struct {
	records      []trace.Record
	since, until trace.Time
	last         int
}

// death returns the index and time of the record that ended the life: of the last collection before its objFree, if the
// object lived then.
func (n *naive) death(o life) (int, trace.Time, bool) {
	if o.free == 0 {
		return 0, 0, false
	}
	for i := o.free; i > o.born; i-- {
		if c, is := n.records[i].(*trace.Collection); is {
			return i, c.End, true
		}
	}
	return o.free, n.records[o.free].(*trace.Free).Time, true
}

// full returns the indexes of the full collections before the window's end, by their last pauses.
func (n *naive) full() (all []int) {
	for i, r := range n.records {
		c, is := r.(*trace.Collection)
		if !is || c.End >= n.until || c.FullKnown && c.Full == 0 || c.Name != "" && !isFull(c.Name) {
			continue
		}
		if last := len(all) - 1; last >= 0 && c.FullKnown && n.records[all[last]].(*trace.Collection).Full == c.Full {
			all = all[:last]
		}
		all = append(all, i)
	}
	return all
}

// liveAt returns the bytes of the class that are live directly after the record at the index.
func (n *naive) liveAt(lives []life, class string, index int) (bytes float64) {
	for _, o := range lives {
		end, _, dead := n.death(o)
		if o.class == class && o.born < index && (!dead || end > index) {
			bytes += float64(o.size)
		}
	}
	return bytes
}

func (n *naive) row(lives []life, class string) Row {
	row := Row{Title: class}
	for _, o := range lives {
		at := n.records[o.born].(*trace.Allocation).Time
		if o.class != class || at >= n.until {
			continue
		}
		end, died, dead := n.death(o)
		if at >= n.since {
			row.Allocated.add(exactly(1, o.size))
			row.Largest = max(row.Largest, o.size)
		}
		if dead && died < n.until {
			if died >= n.since {
				row.Freed.add(exactly(1, o.size))
			}
		} else {
			row.Live.add(exactly(1, o.size))
			end = len(n.records)
		}
		survived := uint32(0)
		for i := o.born; i < end; i++ {
			if c, is := n.records[i].(*trace.Collection); is && c.End < n.until {
				survived++
			}
		}
		row.ages.add(1, survived)
	}
	full := n.full()
	inWindow := slices.IndexFunc(full, func(i int) bool { return n.records[i].(*trace.Collection).End >= n.since })
	if inWindow >= 0 {
		row.Growth.Bytes = n.liveAt(lives, class, full[len(full)-1]) - n.liveAt(lives, class, full[inWindow])
	}
	row.Suspect = len(full) >= n.last
	for i := len(full) - n.last; row.Suspect && i < len(full); i++ {
		before := 0.0
		if i > 0 {
			before = n.liveAt(lives, class, full[i-1])
		}
		row.Suspect = n.liveAt(lives, class, full[i]) > before
	}
	return row
}

// TestRandomRecordings compares sums, ages, growth and suspects with the results of the definitions.
func TestRandomRecordings(t *testing.T) {
	suspects, grown := 0, 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		records, lives := simulate(r)
		options := Options{Last: 1 + r.IntN(4), Curve: len(records)}
		if r.IntN(2) == 0 {
			options.Window = selection.Window{Since: time.Duration(r.IntN(100)), Until: time.Duration(1 + r.IntN(500))}
		}
		c := NewCollector(options)
		for _, record := range records {
			if err := c.Put(record); err != nil {
				t.Fatal(err)
			}
		}
		n := &naive{records: records, last: options.Last}
		n.since, n.until = options.Window.Bounds(1000)
		checkCurve(t, c, n, lives)
		for _, got := range c.Rows(Classes) {
			want := n.row(lives, got.Title)
			if !alike(got, want) {
				t.Fatalf("seed %d, %+v, class %s:\ngot  %+v\nwant %+v", seed, options, got.Title, got, want)
			}
			if got.Suspect {
				suspects++
			}
			if got.Growth.Bytes != 0 {
				grown++
			}
		}
	}
	if suspects < 100 || grown < 1000 {
		t.Errorf("%d suspects, %d rows with growth", suspects, grown)
	}
}

// checkCurve compares the live bytes after each collection of the window.
func checkCurve(t *testing.T, c *Collector, n *naive, lives []life) {
	t.Helper()
	var want []float64
	for i, r := range n.records {
		collection, is := r.(*trace.Collection)
		if !is || collection.End < n.since || collection.End >= n.until {
			continue
		}
		live := 0.0
		for _, class := range []string{"C0", "C1", "C2"} {
			live += n.liveAt(lives, class, i)
		}
		want = append(want, live)
	}
	var got []float64
	for _, p := range c.curve.points {
		got = append(got, p.live)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("after the collections there live\n%v, want\n%v", got, want)
	}
}

// TestCurveIsThinned: of too many collections the ones with longer pauses are kept, and always the latest.
func TestCurveIsThinned(t *testing.T) {
	c := NewCollector(Options{Curve: 4})
	for i := range trace.Time(9) {
		paused := int64(1)
		if i == 3 {
			paused = 100
		}
		if err := c.Put(&trace.Collection{Time: 10 * i, End: 10*i + 1, Paused: paused}); err != nil {
			t.Fatal(err)
		}
	}
	var kept []trace.Time
	for _, p := range c.curve.points {
		kept = append(kept, p.Time)
	}
	if !slices.Contains(kept, 30) || !slices.Contains(kept, 80) || len(kept) > 4 || len(kept)+c.curve.thinned != 9 {
		t.Errorf("kept are %v, and %d are not", kept, c.curve.thinned)
	}
}

// TestEndsOfCollections proves which pauses end a collection: the last pause of each numbered collection, and with G1
// the pause of the young generation, not the pauses of the marking.
func TestEndsOfCollections(t *testing.T) {
	for _, test := range []struct {
		collector string
		numbers   []uint64
		pauses    []bool // as recorded
		want      []bool
	}{
		{"Z", []uint64{1, 1, 1, 2, 2}, []bool{true, true, true, true, true}, []bool{true, true, false, true, false}},
		{"G1", []uint64{1, 2, 2, 2, 3}, []bool{false, false, true, true, false}, []bool{false, false, true, true, false}},
		{"Serial", []uint64{1, 3}, []bool{false, false}, []bool{false, false}},
		{"Shenandoah", []uint64{0, 0}, []bool{true, true}, []bool{true, true}},
	} {
		c := NewCollector(Options{Curve: 100})
		for i, number := range test.numbers {
			c.Put(&trace.Collection{Time: trace.Time(i), End: trace.Time(i), Number: number, Pause: test.pauses[i]})
		}
		if got := c.jsonCollections().Pause; !slices.Equal(got, test.want) {
			t.Errorf("%s: the pauses within a collection are %v, want %v", test.collector, got, test.want)
		}
	}
}

// TestGrowthNamesWhatCounts: collections are called full only if the trace reports it.
func TestGrowthNamesWhatCounts(t *testing.T) {
	full := func(number uint64) *trace.Collection { return &trace.Collection{Full: number, FullKnown: true} }
	for _, test := range []struct {
		collections []*trace.Collection
		want        string // the beginning of the table's title, and a remark
	}{
		{[]*trace.Collection{full(1), full(0), full(2)}, "Live bytes that grew over each of the last 2 full collections"},
		{[]*trace.Collection{{Name: "G1Full: x"}, {Name: "G1Full: x"}}, "Growth is from the full collection at"},
		{[]*trace.Collection{{}, {}}, "Live bytes that grew over each of the last 2 collections"},
		{[]*trace.Collection{{}, {}}, "The trace does not report which collections were full: all of them count."},
		{[]*trace.Collection{{Pause: true}, {Pause: true}}, "Growth is from the pause at"},
		{[]*trace.Collection{{}, full(1)}, "Collections that may not have been full are counted, too: 1."},
		{[]*trace.Collection{full(0), full(0)}, "the window does not have two of them"},
		{[]*trace.Collection{full(1), full(1)}, "none: only 1 full collection up to the window's end"},
	} {
		c := NewCollector(Options{Last: 2})
		c.Put(&trace.Allocation{Class: "A", Size: 8, Object: trace.ObjectFrom([]byte("1"))})
		for i, collection := range test.collections {
			collection.Time, collection.End = trace.Time(i), trace.Time(i)
			c.Put(collection)
		}
		c.Put(&trace.Summary{})
		var out strings.Builder
		err := answers.WriteText(&out, c.Answer(View{By: Classes, Growth: true}), answers.Options{})
		if err != nil || !strings.Contains(out.String(), test.want) {
			t.Errorf("%v\n%swant %q", err, out.String(), test.want)
		}
	}
}

// TestTooManyLiveObjects: if too many objects live at the same time, their fates are not reported.
func TestTooManyLiveObjects(t *testing.T) {
	c := NewCollector(Options{MaxLive: 2})
	for i := range 4 {
		object := trace.ObjectFrom(fmt.Append(nil, i+1))
		if err := c.Put(&trace.Allocation{Time: trace.Time(i), Object: object, Class: "A", Size: 8}); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Put(&trace.Free{Time: 9, Object: trace.ObjectFrom([]byte("1"))}); err != nil {
		t.Fatal(err)
	}
	if f := c.Facts(); !f.Unfollowed || f.Followed || f.Allocations != 4 || f.UnknownFrees != 0 {
		t.Errorf("the facts are %+v", f)
	}
}

func alike(a, b Row) bool {
	return a.Allocated == b.Allocated && a.Freed == b.Freed && a.Live == b.Live && a.Largest == b.Largest &&
		a.ages == b.ages && a.Growth.Bytes == b.Growth.Bytes && a.Suspect == b.Suspect
}

// TestEstimates samples objects of known sizes as HotSpot does, at exponentially distributed distances in bytes. The
// true values lie within two standard errors as often as for a normal distribution.
func TestEstimates(t *testing.T) {
	const interval, runs = 4096, 200
	r := rand.New(rand.NewPCG(7, 7))
	sizes := map[string][]uint64{"small": {16, 24, 48}, "mixed": {16, 512, 8192}, "large": {3000, 100_000}}
	within, rows := 0, 0
	for range runs {
		c := NewCollector(Options{})
		truth := map[string]*Estimate{}
		left := r.ExpFloat64() * interval
		for range 40_000 {
			class := []string{"small", "mixed", "large"}[min(r.IntN(12), 9)/4]
			size := sizes[class][r.IntN(len(sizes[class]))]
			if truth[class] == nil {
				truth[class] = &Estimate{}
			}
			truth[class].add(exactly(1, size))
			if left -= float64(size); left > 0 {
				continue
			}
			left = r.ExpFloat64() * interval
			c.Put(&trace.Allocation{Class: class, Size: size, Interval: interval})
		}
		c.Put(&trace.Summary{})
		for _, row := range c.Rows(Classes) {
			if row.Allocated.Seen < 30 {
				continue
			}
			rows += 2
			if math.Abs(row.Allocated.Count-truth[row.Title].Count) <= 2*row.Allocated.CountError() {
				within++
			}
			if math.Abs(row.Allocated.Bytes-truth[row.Title].Bytes) <= 2*row.Allocated.BytesError() {
				within++
			}
		}
	}
	if share := float64(within) / float64(rows); rows < 800 || share < 0.9 || share > 0.99 {
		t.Errorf("%.3f of %d estimates lie within two standard errors, want 0.90 to 0.99", share, rows)
	}
}

// TestEqualSamples proves that the standard error of a sum of k equal samples is about 1/√k of the sum.
func TestEqualSamples(t *testing.T) {
	var sum Estimate
	one := estimate(24, 512<<10)
	for range 100 {
		sum.add(&one)
	}
	if got := sum.BytesError() / sum.Bytes; math.Abs(got-0.1) > 1e-4 {
		t.Errorf("the standard error of 100 equal samples is %f of the sum, want 0.1", got)
	}
	for range 100 {
		sum.remove(&one)
	}
	if sum != (Estimate{}) {
		t.Errorf("without its samples the sum is %+v", sum)
	}
}

// TestMovesAndSessions: an object keeps its life under a new id; the ids of another recording are other objects.
func TestMovesAndSessions(t *testing.T) {
	id := func(n string) trace.ObjectID { return trace.ObjectFrom([]byte(n)) }
	c := NewCollector(Options{})
	for _, r := range []trace.Record{
		&trace.Allocation{Object: id("7"), Class: "A", Size: 8}, &trace.Move{From: id("7"), To: id("x")},
		&trace.Free{Object: id("x")}, &trace.Free{Object: id("7")},
		&trace.Allocation{Object: id("8"), Class: "A", Size: 8},
		&trace.Allocation{Object: id("8"), Class: "B", Size: 8, Session: 1}, &trace.Free{Object: id("8"), Session: 1},
		&trace.Summary{},
	} {
		c.Put(r)
	}
	got := map[string][3]uint64{}
	for _, row := range c.Rows(Classes) {
		got[row.Title] = [3]uint64{row.Allocated.Seen, row.Freed.Seen, row.Live.Seen}
	}
	if want := (map[string][3]uint64{"A": {2, 1, 1}, "B": {1, 1, 0}}); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("allocated, freed and live are %v, want %v", got, want)
	}
	if c.Facts().UnknownFrees != 1 {
		t.Errorf("%d unknown frees, want 1", c.Facts().UnknownFrees)
	}
}
