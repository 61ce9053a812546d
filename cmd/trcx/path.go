package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/deadlock"
	"github.com/trcx/trcx/analyze/diagnosis"
	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// The default limits of the text.
const (
	shownPieces    = 25
	shownPathParts = 10
	shownBlame     = 5
)

func pathCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:  "path",
		Usage: "what the time of the run depended on: the critical path",
		UsageText: "trcx path INPUT [--thread THREAD] [--since TIME] [--until TIME] [--what-if monitor=MONITOR] " +
			"[--format text|json|csv|markdown]",
		Description: `The critical path is the chain of activities, each waiting for the one before it, that took as long as the run. To make the
run shorter, shorten a part of this chain. The first lines are the findings of trcx why on it.

It leads to the end of the run: the end of DestroyJavaVM, which waits for the program's threads after main has returned,
or else the last event of the program's threads. --thread chooses another thread: THREAD is an id, a name, a pattern for
names with * and ?, or key=N as in --format json. If several match, it is the one that waited longest.

--since and --until cut the path of the whole run: they show the part in the window.

--what-if estimates the run without waits for a monitor: MONITOR is an id, a pattern for classes with . or /, CLASS@ID, or
a monitor as an answer names it, such as 'ReentrantLock 1063'.

Examples:
   trcx path app.trcxml
   trcx path app.trcxml --what-if 'monitor=*'  and how long the run would take without contention
   trcx path app.trcxml --thread main --all
   trcx path app.trcxml --since 10s --until 11s
   trcx path app.trcxml --format json | jq .length`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "thread", Usage: "the path to the end of this `THREAD`",
				DefaultText: "the one that ends the run"},
			&cli.StringSliceFlag{Name: "what-if",
				Usage: "estimate the run without waits for `monitor=MONITOR`; may be repeated"},
		}, windowFlags(), []cli.Flag{
			atLeast(0,
				&cli.IntFlag{Name: "top", Aliases: []string{"n"}, Usage: "show the `NUMBER` longest pieces; 0 for all",
					Value: shownPieces}),
			&cli.BoolFlag{Name: "all", Usage: "show everything"},
		}, answerFlags(answerFormats), []cli.Flag{fromFlag(), skipFlag(), framesFlag()}, readingFlags()),
		Action: func(c *cli.Context) error {
			question, err := newPathQuestion(c)
			if err != nil {
				return err
			}
			return env.analyse(c, c.Args().Slice(), c.String("from"), answerFormats,
				func(ctx context.Context, a *analysis) (*answer.Answer, error) {
					return a.path(ctx, question)
				})
		},
	}
}

// pathQuestion is the command line of path.
type pathQuestion struct {
	input    string // as the user named it
	thread   string
	window   selection.Window
	monitors []critical.Monitors
	shown    critical.Options
	hot      map[string]methods.Hot // by thread
}

func newPathQuestion(c *cli.Context) (q *pathQuestion, err error) {
	if err := oneInput(c); err != nil {
		return nil, err
	}
	q = &pathQuestion{input: c.Args().First(), thread: c.String("thread"), shown: critical.Options{
		Pieces: c.Int("top"), SeeMore: "; --top N shows the N longest, --all shows them all", Rows: shownPathParts,
		SeeWithout: "--what-if monitor="}}
	if c.Bool("all") || q.shown.Pieces == 0 {
		q.shown.Pieces, q.shown.Rows = 0, 0
	}
	if q.window, err = parseWindow(c); err != nil {
		return nil, err
	}
	if c.IsSet("what-if") && !q.window.IsEverything() {
		return nil, usage("--what-if estimates the whole run: leave --since and --until out")
	}
	for _, text := range c.StringSlice("what-if") {
		monitors, err := critical.ParseMonitors(text)
		if err != nil {
			return nil, usage("--what-if %s: %v", text, err)
		}
		q.monitors = append(q.monitors, monitors)
	}
	return q, nil
}

// path reads the inputs and computes the critical path.
func (a *analysis) path(ctx context.Context, q *pathQuestion) (_ *answer.Answer, err error) {
	recorder := critical.NewRecorderIn("")
	calls := methods.NewCollector(methods.Options{Window: q.window, Forget: true, Spans: true})
	defer func() {
		if err != nil {
			recorder.Close() // nothing to lose
			calls.Close()
		}
	}()
	recorder.Within(q.window)
	enricher := enrich.New(a.stage(recorder),
		enrich.Options{Calls: enrich.CallersOnly, Skips: a.skips, Frames: a.frames})
	sink := convert.Counter(enricher)
	if a.format != "csv" { // it has only the pieces
		sink = convert.Tee(enricher, calls)
	}
	if err := a.read(ctx, a.inputs.Documents, sink); err != nil {
		return nil, err
	}
	start, shown := recorder.Last(), q.shown
	if q.thread != "" {
		key, others, err := recorder.FindWorst(q.thread)
		if err != nil {
			return nil, usage("--thread: %v", err)
		}
		start = recorder.LastOf(key)
		shown.Remarks = othersText(others)
	}
	var blamed *blame.Blame
	if start.Ending.IsArbitrary() {
		var err error
		if blamed, err = blame.Of(recorder, blame.Options{Window: q.window, WithoutIdle: true}); err != nil {
			return nil, err
		}
		shown.Remarks = append(shown.Remarks, worstOf(blamed, q)...)
	}
	path := recorder.Path(start)
	if path.Size() == 0 && !q.window.IsEverything() && a.format == "json" {
		a.warn("%s", path.Verdict())
	}
	var whatIf *critical.WhatIf
	if len(q.monitors) > 0 {
		if whatIf = recorder.WhatIf(start, q.monitors); whatIf == nil {
			return nil, usage("--what-if: %s", notBlocked(path, q.monitors))
		}
	}
	shown.Lead = leadingBlame(blamed, path.Length(), shown)
	ran := calls.Within(running(path))
	q.hot, shown.Tables, shown.Fields = ran.Hot, ran.Tables(path.Length(), shown.Rows), ran.JSON()
	a.done = func() error { return errors.Join(closed(recorder)(), calls.Close()) }
	return path.Answer(whatIf, shown).Under(func() []string {
		found := q.diagnosis(recorder, path, blamed)
		if len(found.Findings) == 0 {
			return nil
		}
		return found.Head()
	}), nil
}

// running iterates over the times of the path in which a thread ran.
func running(path *critical.Path) iter.Seq[methods.Piece] {
	return func(yield func(methods.Piece) bool) {
		for p := range path.Pieces() {
			if p.Kind == critical.Segment && p.State == trace.Running &&
				!yield(methods.Piece{Session: p.Thread.Session, Thread: p.Thread.ID.String(), From: p.From, To: p.To}) {
				return
			}
		}
	}
}

// diagnosis returns what is wrong on the path: deadlocks, the lock for which threads waited longest, and where the time
// was spent. A path that is one of many has the diagnosis of the blame.
func (q *pathQuestion) diagnosis(r *critical.Recorder, path *critical.Path, blamed *blame.Blame) *diagnosis.Diagnosis {
	facts := &diagnosis.Facts{Blame: blamed, Deadlocks: deadlock.Of(r, q.window), Few: true,
		Hot: func() map[string]methods.Hot { return q.hot }}
	if q.thread == "" && q.window.IsEverything() {
		facts.Path = path
	}
	if worst := path.WorstLock(); blamed == nil && worst.ID.Known() {
		facts.Locks, _ = blame.Of(r, blame.Options{Window: q.window, // the recorder keeps its errors
			Monitors: []critical.Monitors{critical.MonitorOf(worst)}})
	}
	return diagnosis.Of(facts)
}

// closed returns a function that closes the recorder. It returns the first error of its file.
func closed(recorder *critical.Recorder) func() error {
	return func() error { return errors.Join(recorder.Failed(), recorder.Close()) }
}

// notBlocked returns the message for monitors on which no thread was blocked. It names the monitors on the path.
func notBlocked(path *critical.Path, monitors []critical.Monitors) string {
	var asked []string
	for _, m := range monitors {
		asked = append(asked, m.String())
	}
	text := "no thread was ever blocked on " + strings.Join(asked, " or ")
	if locks := path.Locks(); len(locks) > 0 {
		return text + "; on its path the run waited for " + strings.Join(locks, ", ")
	}
	return text + "; on its path the run waited for no lock"
}

// maxOthers limits the other threads that are listed.
const maxOthers = 8

// othersText is the remark about further threads that match a pattern, but waited for less time.
func othersText(others []critical.Thread) []string {
	if len(others) == 0 {
		return nil
	}
	var titles []string
	for i := range others[:min(maxOthers, len(others))] {
		titles = append(titles, others[i].Title())
	}
	if more := len(others) - len(titles); more > 0 {
		titles = append(titles, fmt.Sprintf("%d more", more))
	}
	return []string{"Of the matching threads it waited longest; the others are " + phrase.List(titles, "and") + "."}
}

// leadingBlame reports who kept the threads waiting, before a path that is one of many. It is nil if blamed is nil, or
// if finished waits and open waits for locks are too short to matter.
func leadingBlame(blamed *blame.Blame, length int64, shown critical.Options) *answer.Report {
	if blamed == nil || 100*(blamed.Total+blamed.OpenBlocked()) <= length {
		return nil
	}
	view := blame.View{By: blame.Threads, Top: shownBlame, Brief: true}
	if shown.Rows == 0 {
		view.Top = 0
	}
	return blamed.Report(view)
}

// worstOf returns commands for the worst second, minute and thread.
func worstOf(b *blame.Blame, q *pathQuestion) (remarks []string) {
	for _, w := range b.WorstWindows() {
		words := shellWord(q.input) + windowText(w.Window)
		remarks = append(remarks, fmt.Sprintf("The worst %s: trcx blame %s; its path: trcx path %s", w.Name, words, words))
	}
	if worst, ok := b.WorstThread(); ok {
		remarks = append(remarks, fmt.Sprintf("The thread that waited longest, %s: trcx path %s --thread key=%d%s",
			worst.Title(), shellWord(q.input), worst.Key, windowText(q.window)))
	}
	return remarks
}

// windowText returns the flags of the window, each after a blank.
func windowText(w selection.Window) (text string) {
	if !w.IsEverything() {
		text = " --since " + w.Since.String()
	}
	if w.Until != 0 {
		text += " --until " + w.Until.String()
	}
	return text
}

// shellWord quotes a word for a shell if necessary.
func shellWord(text string) string {
	if strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/=+:,") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
