package pipeline

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/trcx/trcx/fleet/analyse"
	"github.com/trcx/trcx/fleet/rows"
	"github.com/trcx/trcx/fleet/storage"
)

func init() {
	register.DoFn3x1[context.Context, string, func(string, []byte), error](&analyseFn{})
	register.DoFn4x0[context.Context, string, []byte, func(int, keyed)](&shardFn{})
	register.DoFn3x1[context.Context, int, func(*keyed) bool, error](&writeFn{})
	register.Emitter2[string, []byte]()
	register.Emitter2[int, keyed]()
	register.Iter1[keyed]()
	register.Function2x1(rows.MergeForms)
	beam.RegisterType(reflect.TypeFor[keyed]())
}

// Options say what the pipeline does.
type Options struct {
	analyse.Options
	Folder   string // of the rows
	Shards   int    // the number of files of rows
	Parallel int    // how many files are read at once, in a process
	MaxKeys  int    // the limit of the rows of a file of rows
}

// build adds the pipeline for the files to the scope.
func build(s beam.Scope, files []string, o Options) {
	names := beam.Reshuffle(s, beam.CreateList(s, files))
	parts := beam.ParDo(s, &analyseFn{Options: o.Options, Parallel: o.Parallel}, names)
	sums := beam.CombinePerKey(s, rows.MergeForms, parts)
	sharded := beam.GroupByKey(s, beam.ParDo(s, &shardFn{Shards: o.Shards}, sums))
	beam.ParDo0(s, &writeFn{Options: o}, sharded)
}

// maxInBundle is how many keys a bundle merges before it emits them.
const maxInBundle = 100_000

// Files counts the files that this process has finished; for progress alone, since work may be done twice.
var Files atomic.Int64

var (
	poolOnce sync.Once
	pool     chan struct{} // the pool of the process: a place for each file that is being read
)

// analyseFn sums up files.
type analyseFn struct {
	Options  analyse.Options
	Parallel int

	analyser *analyse.Analyser
	running  sync.WaitGroup
	mu       sync.Mutex
	bundle   *rows.Set
	failed   error
}

func (f *analyseFn) Setup() (err error) {
	poolOnce.Do(func() { pool = make(chan struct{}, max(f.Parallel, 1)) })
	f.analyser, err = analyse.New(f.Options)
	return err
}

func (f *analyseFn) StartBundle(context.Context, func(string, []byte)) {
	f.bundle, f.failed = &rows.Set{}, nil
}

// ProcessElement hands the file to the pool, and waits only while that is full.
func (f *analyseFn) ProcessElement(ctx context.Context, name string, emit func(string, []byte)) error {
	pool <- struct{}{}
	f.running.Add(1)
	go func() {
		defer func() { <-pool; f.running.Done() }()
		all, err := f.analyser.File(ctx, name)
		f.mu.Lock()
		defer f.mu.Unlock()
		if err != nil {
			f.failed = err
			return
		}
		f.bundle.Merge(all)
		Files.Add(1)
	}()
	f.mu.Lock()
	full := (*rows.Set)(nil)
	if f.bundle.Len() > maxInBundle {
		full, f.bundle = f.bundle, &rows.Set{}
	}
	f.mu.Unlock()
	put(full, emit)
	return nil
}

// FinishBundle waits for the files of the bundle.
func (f *analyseFn) FinishBundle(_ context.Context, emit func(string, []byte)) error {
	f.running.Wait()
	put(f.bundle, emit)
	f.bundle = nil
	return f.failed
}

// put emits the rows.
func put(all *rows.Set, emit func(string, []byte)) {
	if all == nil {
		return
	}
	for _, row := range all.Sorted() {
		emit(string(row.AppendKey(nil)), row.AppendValue(nil))
	}
}

// keyed is a row in its binary form.
type keyed struct {
	Key   []byte
	Value []byte
}

// shardFn finds the file of a row.
type shardFn struct{ Shards int }

func (f *shardFn) ProcessElement(_ context.Context, key string, value []byte, emit func(int, keyed)) {
	emit(shardOf(key, f.Shards), keyed{[]byte(key), value})
}

func shardOf(key string, shards int) int {
	h := fnv.New64a()
	h.Write([]byte(key))
	return int(h.Sum64() % uint64(shards))
}

// writeFn writes the files of rows.
type writeFn struct{ Options Options }

func (f *writeFn) ProcessElement(ctx context.Context, shard int, values func(*keyed) bool) error {
	var all []rows.Row
	for form := (keyed{}); values(&form); {
		if len(all) == f.Options.MaxKeys {
			return tooMany(all, f.Options)
		}
		key, err := rows.ParseKey(form.Key)
		if err != nil {
			return err
		}
		value, err := rows.ParseValue(form.Value)
		if err != nil {
			return err
		}
		all = append(all, rows.Row{Key: key, Value: value})
	}
	return write(ctx, shard, all, f.Options)
}

// tooMany is the error for more keys than the limit. It names the label that has the most values.
func tooMany(all []rows.Row, o Options) error {
	most, worst := 0, ""
	for i, label := range o.By {
		values := map[string]bool{}
		for _, row := range all {
			values[row.LabelValues(len(o.By))[i]] = true
		}
		if len(values) > most {
			most, worst = len(values), label
		}
	}
	if most < 2 {
		return fmt.Errorf("a file of rows would have more than %d rows: raise max-keys or shards", o.MaxKeys)
	}
	return fmt.Errorf("a file of rows would have more than %d rows: the label %s has %d values; leave it out of by, or "+
		"raise max-keys or shards", o.MaxKeys, worst, most)
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

// Loop does what the pipeline does, file by file, without Beam.
func Loop(ctx context.Context, files []string, o Options) error {
	analyser, err := analyse.New(o.Options)
	if err != nil {
		return err
	}
	sum := &rows.Set{}
	for _, name := range files {
		all, err := analyser.File(ctx, name)
		if err != nil {
			return err
		}
		sum.Merge(all)
	}
	shards := make([][]rows.Row, o.Shards)
	for _, row := range sum.Sorted() {
		shard := shardOf(string(row.AppendKey(nil)), o.Shards)
		shards[shard] = append(shards[shard], row)
	}
	for shard, all := range shards {
		if len(all) > o.MaxKeys {
			return tooMany(slices.Clone(all[:o.MaxKeys]), o)
		}
		if len(all) > 0 {
			if err := write(ctx, shard, all, o); err != nil {
				return err
			}
		}
	}
	return nil
}
