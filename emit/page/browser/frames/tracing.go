package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/profiler"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// event is an event of Chromium's trace. Times are in microseconds.
type event struct {
	Name     string  `json:"name"`
	Phase    string  `json:"ph"`
	Process  int     `json:"pid"`
	Thread   int     `json:"tid"`
	Begin    float64 `json:"ts"`
	Duration float64 `json:"dur"`
	CPU      float64 `json:"tdur"`
}

func (e *event) end() float64 { return e.Begin + e.Duration }

// The names of what a trace has of the main thread: a task, and what the last task of a frame contains. Commits without
// an animation frame are small changes that the browser makes itself; they count for the next frame.
const (
	task      = "RunTask"
	animation = "FireAnimationFrame"
)

// categories cover only tasks and animation frames, as each traced event takes time itself. detailed also covers what
// happens inside these.
var (
	categories = []string{"devtools.timeline", "disabled-by-default-devtools.timeline"}
	detailed   = append(categories, "toplevel", "v8")
)

// frame is what the main thread did for a frame, in milliseconds.
type frame struct {
	busy, cpu  float64
	begin, end float64 // of its first task, and of its last, in microseconds
}

// measure makes a gesture and prints how long its frames took.
func (p *page) measure(g gesture) error {
	if err := firstError(g.prepare(p), p.rest()); err != nil {
		return err
	}
	events, err := p.traced(func() error { return p.profiled(g.name, func() error { return g.act(p) }) })
	if err != nil {
		return err
	}
	frames, err := framesOf(events)
	if err != nil {
		return err
	}
	busy := sorted(frames, func(f frame) float64 { return f.busy })
	cpu := sorted(frames, func(f frame) float64 { return f.cpu })
	fmt.Printf("  %-34s %6d  %s  %s", g.name, len(frames), described(busy), described(cpu))
	if g.limited {
		fmt.Printf("  wanted: p95 %d: %s, CPU %s", limit, verdict(percentile(busy, 95) <= limit),
			verdict(percentile(cpu, 95) <= limit))
	}
	fmt.Println()
	if p.parts {
		tellParts("all frames", frames, events)
		slices.SortFunc(frames, func(a, b frame) int { return cmp.Compare(b.cpu, a.cpu) })
		tellParts("slow ones", frames[:(len(frames)+9)/10], events)
	}
	return nil
}

func sorted(frames []frame, of func(frame) float64) []float64 {
	all := make([]float64, len(frames))
	for i, f := range frames {
		all[i] = of(f)
	}
	slices.Sort(all)
	return all
}

// percentile returns a percentile by nearest rank.
func percentile(sorted []float64, percent float64) float64 {
	return sorted[max(0, int(math.Ceil(percent/100*float64(len(sorted))))-1)]
}

func described(sorted []float64) string {
	return fmt.Sprintf("%7.1f%7.1f%7.1f", percentile(sorted, 50), percentile(sorted, 95), sorted[len(sorted)-1])
}

// traced runs an act, and returns Chromium's trace of it.
func (p *page) traced(act func() error) ([]event, error) {
	var mu sync.Mutex
	var events []event
	var failed error
	complete := make(chan struct{}, 1)
	err := chromedp.Listen(p.ctx, func(e any) {
		switch e := e.(type) {
		case *tracing.EventDataCollected:
			mu.Lock()
			defer mu.Unlock()
			for _, text := range e.Value {
				var one event
				if err := json.Unmarshal(text, &one); err != nil {
					failed = err
				}
				events = append(events, one)
			}
		case *tracing.EventTracingComplete:
			select {
			case complete <- struct{}{}:
			default:
			}
		}
	})
	if err != nil {
		return nil, err
	}
	config := &tracing.TraceConfig{IncludedCategories: categories, ExcludedCategories: []string{"*"}}
	if p.parts {
		config.IncludedCategories = detailed
	}
	if _, err := chromedp.Call(p.ctx, tracing.Start, tracing.StartParams{TraceConfig: config}); err != nil {
		return nil, err
	}
	acted := act()
	time.Sleep(100 * time.Millisecond) // the last frame of the gesture
	if _, err := chromedp.Call(p.ctx, tracing.End, cdp.Empty{}); err != nil {
		return nil, errors.Join(acted, err)
	}
	select {
	case <-complete:
	case <-time.After(patience):
		return nil, errors.New("the browser does not give its trace")
	}
	mu.Lock()
	defer mu.Unlock()
	return events, errors.Join(acted, failed)
}

// framesOf adds up the tasks of the page's main thread for each animation frame. The last task of a frame also lays
// out, paints and commits.
func framesOf(events []event) ([]frame, error) {
	main, animated := mainThread(events)
	if len(animated) < 2 {
		return nil, fmt.Errorf("there were %d frames", len(animated))
	}
	var tasks []event
	for _, e := range events {
		if e.Name == task && e.Phase == "X" && [2]int{e.Process, e.Thread} == main {
			tasks = append(tasks, e)
		}
	}
	slices.SortFunc(tasks, func(a, b event) int { return cmp.Compare(a.Begin, b.Begin) })
	frames, next := []frame{}, frame{}
	for _, t := range tasks {
		if next.begin == 0 {
			next.begin = t.Begin
		}
		next.end = t.end()
		next.busy += t.Duration / 1000
		next.cpu += t.CPU / 1000
		if at := sort.SearchFloat64s(animated, t.Begin); at < len(animated) && animated[at] <= t.end() {
			frames = append(frames, next)
			next = frame{}
		}
	}
	return frames, nil
}

// mainThread returns the thread with the most animation frames, and when these begin.
func mainThread(events []event) (thread [2]int, animated []float64) {
	all := map[[2]int][]float64{}
	for _, e := range events {
		if e.Name == animation {
			key := [2]int{e.Process, e.Thread}
			if all[key] = append(all[key], e.Begin); len(all[key]) > len(all[thread]) {
				thread = key
			}
		}
	}
	slices.Sort(all[thread])
	return thread, all[thread]
}

// tellParts prints how much processor time each kind of work took for one of some frames on average, including nested
// work.
func tellParts(which string, frames []frame, events []event) {
	main, _ := mainThread(events)
	parts := map[string]float64{}
	for _, e := range events {
		within := func(f frame) bool { return e.Begin >= f.begin && e.end() <= f.end }
		if [2]int{e.Process, e.Thread} == main && slices.ContainsFunc(frames, within) {
			parts[e.Name] += e.CPU / 1000 / float64(len(frames))
		}
	}
	fmt.Printf("    %s:", which)
	for _, name := range slices.SortedFunc(maps.Keys(parts), func(a, b string) int {
		return cmp.Compare(parts[b], parts[a])
	}) {
		if parts[name] >= 0.1 {
			fmt.Printf(" %s %.1f", name, parts[name])
		}
	}
	fmt.Println()
}

// keepProfile writes a profile in the form that browsers' tools open.
func keepProfile(folder, name string, profile *profiler.Profile) error {
	text, err := json.Marshal(profile)
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(folder, 0o755), os.WriteFile(filepath.Join(folder, name+".cpuprofile"), text, 0o644))
}
