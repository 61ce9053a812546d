package pipeline

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/trcx/trcx/fleet/analyse"
	"github.com/trcx/trcx/fleet/rows"
	"github.com/trcx/trcx/fleet/storage"
)

func init() {
	beam.RegisterDoFn(reflect.TypeFor[analyseFn]())
	beam.RegisterDoFn(reflect.TypeFor[mergeFn]())
	beam.RegisterDoFn(reflect.TypeFor[limitFn]())
	beam.RegisterDoFn(reflect.TypeFor[writeFn]())
	register.Emitter2[int, []byte]()
	register.Emitter2[int, counted]()
	register.Iter1[[]byte]()
	register.Iter1[counted]()
	beam.RegisterType(reflect.TypeFor[counted]())
}

// Options say what the pipeline does.
type Options struct {
	analyse.Options
	Folder   string // of the rows
	Shards   int    // the number of files of rows
	Parallel int    // how many files are read at once, in a process
	MaxKeys  int    // the limit of the rows
}

// build adds the pipeline for the files to the scope. Elements are batches of rows, because a runner takes its time for
// each element. They are bytes: a runner in Java would change strings that are not UTF-8. No file of rows is written
// before all rows are counted, by their labels, and are not too many: limitFn adds to the batches of each file.
func build(s beam.Scope, files []string, o Options) {
	names := beam.Reshuffle(s, beam.CreateList(s, files))
	all := beam.ParDo(s, &analyseFn{Options: o}, names)
	sums, counts := beam.ParDo2(s, &mergeFn{Options: o}, beam.GroupByKey(s, all))
	few := beam.ParDo(s, &limitFn{Options: o}, beam.GroupByKey(s, counts))
	sharded := beam.GroupByKey(s, beam.Flatten(s, sums, few))
	// While a stage runs that has side inputs or no output, prism waits for it in busy loops. So writing has neither:
	// its output is grouped, for nobody.
	beam.GroupByKey(s, beam.ParDo(s, &writeFn{Options: o}, sharded))
}

// parts is the number of groups of a file of rows, which a cluster merges beside each other: file n has the groups n,
// n + Shards, n + 2 Shards and so on.
const parts = 16

// maxInBundle is how many keys a bundle merges before it emits them.
const maxInBundle = 100_000

// Files counts the files that this process has finished; for progress alone, since work may be done twice.
var Files atomic.Int64

// The metrics of a job, for people who look at the runner. Work that is done twice counts twice, so no row has any.
var (
	filesDone  = beam.NewCounter("trcx", "files")
	bytesDone  = beam.NewCounter("trcx", "bytes")
	eventsDone = beam.NewCounter("trcx", "events")
	deadDone   = beam.NewCounter("trcx", "dead")
	timeOfFile = beam.NewDistribution("trcx", "milliseconds_a_file")
)

// pools are the pools of the process by their sizes: a channel with a place for each file that is being read.
var pools sync.Map

// analyseFn sums up files.
type analyseFn struct {
	Options Options

	analyser *analyse.Analyser
	pool     chan struct{}
	bundle   *bundle
}

// bundle is what a bundle has summed up. Its goroutines outlive it if it fails, and must not change the next one.
type bundle struct {
	running sync.WaitGroup
	mu      sync.Mutex
	rows    *rows.Set
	times   []time.Duration // of files that the metrics lack
	failed  error
}

func (f *analyseFn) Setup() (err error) {
	parallel := max(f.Options.Parallel, 1)
	pool, _ := pools.LoadOrStore(parallel, make(chan struct{}, parallel))
	f.pool = pool.(chan struct{})
	f.analyser, err = analyse.New(f.Options.Options)
	return err
}

func (f *analyseFn) StartBundle(context.Context, func(int, []byte)) {
	f.bundle = &bundle{rows: &rows.Set{}}
}

// ProcessElement hands the file to the pool, and waits only while that is full.
func (f *analyseFn) ProcessElement(ctx context.Context, name string, emit func(int, []byte)) error {
	f.pool <- struct{}{}
	b := f.bundle
	b.running.Add(1)
	go func() {
		defer func() { <-f.pool; b.running.Done() }()
		started := time.Now()
		all, err := f.analyser.File(ctx, name)
		b.mu.Lock()
		defer b.mu.Unlock()
		if err != nil {
			b.failed = err
			return
		}
		b.rows.Merge(all)
		b.times = append(b.times, time.Since(started))
		Files.Add(1)
	}()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rows.Len() > maxInBundle {
		b.put(ctx, f.Options.Shards*parts, emit)
	}
	return b.failed
}

// FinishBundle waits for the files of the bundle.
func (f *analyseFn) FinishBundle(ctx context.Context, emit func(int, []byte)) error {
	f.bundle.running.Wait()
	f.bundle.put(ctx, f.Options.Shards*parts, emit)
	return f.bundle.failed
}

// put emits the rows, and counts their files.
func (b *bundle) put(ctx context.Context, groups int, emit func(int, []byte)) {
	all := b.rows.Sorted()
	for _, row := range all {
		if row.Table == rows.Trace && row.Time == "" {
			filesDone.Inc(ctx, 1)
			bytesDone.Inc(ctx, int64(row.Bytes))
			eventsDone.Inc(ctx, int64(row.Events))
		}
		if row.Table == rows.Dead {
			deadDone.Inc(ctx, 1)
		}
	}
	emitBatches(all, groups, emit)
	for _, length := range b.times {
		timeOfFile.Update(ctx, length.Milliseconds())
	}
	b.rows, b.times = &rows.Set{}, nil
}

// maxBatch is the size from which a batch of rows is emitted, in bytes.
const maxBatch = 1 << 16

// emitBatches emits the rows in batches, by the group that each belongs to.
func emitBatches(all []rows.Row, groups int, emit func(int, []byte)) {
	batches := make([][]byte, groups)
	for _, row := range all {
		key := row.AppendKey(nil)
		group := groupOf(key, groups)
		batches[group] = rows.AppendForms(batches[group], key, row.AppendValue(nil))
		if len(batches[group]) >= maxBatch {
			emit(group, batches[group])
			batches[group] = nil
		}
	}
	for group, batch := range batches {
		if len(batch) > 0 {
			emit(group, batch)
		}
	}
}

// eachRow calls use for each row of the batches.
func eachRow(batches func(*[]byte) bool, use func(rows.Row)) error {
	for batch := ([]byte)(nil); batches(&batch); {
		all, err := rows.ParseForms(batch)
		if err != nil {
			return err
		}
		for _, row := range all {
			use(row)
		}
	}
	return nil
}

// groupOf returns the group of a key.
func groupOf(key []byte, groups int) int {
	h := fnv.New64a()
	h.Write(key)
	return int(h.Sum64() % uint64(groups))
}

// mergeFn merges the rows of a group, and counts them by their labels.
type mergeFn struct{ Options Options }

// ProcessElement emits the merged rows, and all counts under one key.
func (f *mergeFn) ProcessElement(_ int, batches func(*[]byte) bool, emit func(int, []byte), count func(int, counted)) error {
	var sum rows.Set
	if err := eachRow(batches, func(row rows.Row) { sum.Add(row.Key, row.Value) }); err != nil {
		return err
	}
	all, byLabels := sum.Sorted(), map[string]int{}
	for _, row := range all {
		byLabels[row.Labels]++
	}
	emitBatches(all, f.Options.Shards, emit)
	for labels, n := range byLabels {
		count(0, counted{[]byte(labels), n})
	}
	return nil
}

// counted is how many rows have the labels.
type counted struct {
	Labels []byte
	Rows   int
}

// limitFn emits an empty batch for each file of rows, or returns an error if there are more rows than the limit.
type limitFn struct{ Options Options }

func (f *limitFn) ProcessElement(_ int, counts func(*counted) bool, emit func(int, []byte)) error {
	byLabels := map[string]int{}
	for of := (counted{}); counts(&of); {
		byLabels[string(of.Labels)] += of.Rows
	}
	if err := tooMany(byLabels, f.Options); err != nil {
		return err
	}
	for shard := range f.Options.Shards {
		emit(shard, nil)
	}
	return nil
}

// writeFn writes the files of rows.
type writeFn struct{ Options Options }

// ProcessElement writes the rows of a file, and returns their number.
func (f *writeFn) ProcessElement(ctx context.Context, shard int, batches func(*[]byte) bool) (int, int, error) {
	var all []rows.Row
	if err := eachRow(batches, func(row rows.Row) { all = append(all, row) }); err != nil {
		return 0, 0, err
	}
	if len(all) == 0 {
		return shard, 0, nil
	}
	return shard, len(all), write(ctx, shard, all, f.Options)
}

// tooMany returns an error for more rows than the limit. It names the label that has the most values.
func tooMany(byLabels map[string]int, o Options) error {
	sum, most, worst := 0, 0, ""
	values := make([]map[string]bool, len(o.By))
	for labels, n := range byLabels {
		sum += n
		for i, value := range (&rows.Key{Labels: labels}).LabelValues(len(o.By)) {
			if values[i] == nil {
				values[i] = map[string]bool{}
			}
			values[i][value] = true
		}
	}
	for i, label := range o.By {
		if len(values[i]) > most {
			most, worst = len(values[i]), label
		}
	}
	switch {
	case sum <= o.MaxKeys:
		return nil
	case most < 2:
		return fmt.Errorf("there are %d rows, more than %d: raise max-keys", sum, o.MaxKeys)
	}
	return fmt.Errorf("there are %d rows, more than %d: the label %s has %d values; leave it out of by, or raise max-keys",
		sum, o.MaxKeys, worst, most)
}

// write writes a file of rows.
func write(ctx context.Context, shard int, all []rows.Row, o Options) error {
	rows.Sort(all)
	return storage.Write(ctx, storage.Join(o.Folder, FileName(shard, o.Shards)), func(out io.Writer) error {
		return rows.WriteParquet(out, o.By, all)
	})
}

// FileName returns the name of a file of rows.
func FileName(shard, shards int) string {
	return fmt.Sprintf("part-%05d-of-%05d.parquet", shard, shards)
}
