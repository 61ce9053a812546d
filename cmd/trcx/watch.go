package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/agent/attach"
	"github.com/trcx/trcx/validate/report"
)

const watchName = "watch"

// The defaults of watch.
const (
	defaultNoProgress = 10 * time.Minute
	defaultCheck      = time.Minute
)

func watchCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:      watchName,
		Usage:     "run a command, and say why when its JVMs are stuck",
		UsageText: "trcx watch [--no-progress TIME] [--check TIME] [--kill] -- COMMAND…",
		Description: `The command runs as without trcx, which exits with its status. Its JVMs, and those that it starts, are left alone while they
work. When nothing was written and no processor was used for the time of --no-progress, or a JVM that has stood still for
the time of --check is deadlocked, trcx why of these JVMs is printed on the standard error, and written into a folder with
their traces, thread dumps and pages. In a workflow of GitHub it is an annotation and a part of the job's summary, too.

The command then goes on; with --kill it is ended, and the exit status is 124.

Examples:
   trcx watch -- java -jar app.jar
   trcx watch --no-progress 5m --kill -- java -jar app.jar`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "no-progress", Usage: "print why after this `TIME` without output and work",
				DefaultText: defaultNoProgress.String()},
			&cli.StringFlag{Name: "check", Usage: "look for deadlocks in a JVM that has stood still for this `TIME`",
				DefaultText: defaultCheck.String()},
			&cli.BoolFlag{Name: "kill", Usage: "end the command when it is stuck"},
			&cli.StringFlag{Name: "for", Usage: "record a JVM that is stuck for this `TIME`", DefaultText: defaultFor.String()},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write what was found into `FOLDER`",
				Value: "trcx-watch"},
			libraryFlag(),
			quietFlag("print errors only; what is found is in the folder"),
		},
		Action: func(c *cli.Context) error { return env.watch(c) },
	}
}

// watchVariable is set in the environment of the command, and so of all processes that it starts.
const watchVariable = "TRCX_WATCH"

// killedStatus is the exit status if the command was ended because it was stuck, as with timeout(1).
const killedStatus = 124

// watch runs the command and watches its processes.
func (env *environment) watch(c *cli.Context) error {
	if !c.Args().Present() {
		return usage("name the command after --, such as: trcx watch -- mvn verify")
	}
	w := &watcher{env: env, folder: c.String("output"), kills: c.Bool("kill"), quiet: c.Bool("quiet"),
		noProgress: defaultNoProgress, check: defaultCheck, since: time.Now(), checked: map[int]bool{}}
	for name, length := range map[string]*time.Duration{"no-progress": &w.noProgress, "check": &w.check} {
		if !c.IsSet(name) {
			continue
		}
		value, err := timeFlag(c, name)
		if err == nil && value <= 0 {
			err = usage("--%s %s: want a time above 0", name, c.String(name))
		}
		if err != nil {
			return err
		}
		*length = value
	}
	for _, name := range []string{"for", "library"} {
		if c.IsSet(name) {
			w.flags = append(w.flags, "--"+name, c.String(name))
		}
	}
	if _, err := timeFlag(c, "for"); err != nil {
		return err
	}
	w.mark = watchVariable + "=" + rand.Text()
	command := exec.Command(c.Args().First(), c.Args().Tail()...)
	command.Stdin, command.Stdout, command.Stderr = env.stdin, env.stdout, env.stderr
	command.Env = append(os.Environ(), w.mark)
	ctx, end := context.WithCancel(context.WithoutCancel(c.Context))
	done := make(chan struct{})
	exit, err := env.runProgram(command, func() {
		go func() {
			defer close(done)
			w.run(ctx)
		}()
	})
	end()
	if err != nil {
		return fmt.Errorf("%s cannot be run: %w", c.Args().First(), bare(err))
	}
	<-done
	if w.killed {
		return programExit(killedStatus)
	}
	return exit
}

// watcher watches the processes of a command.
type watcher struct {
	env               *environment
	mark              string // the variable in the processes' environments
	noProgress, check time.Duration
	kills, killed     bool
	quiet             bool     // findings go only to the folder
	folder            string   // for findings
	flags             []string // of trcx why

	before  []attach.Usage
	looked  time.Time
	since   time.Time         // the last progress
	still   map[int]time.Time // since when a JVM has stood still
	checked map[int]bool      // JVMs that were checked since they stand still
	told    bool              // the verdict is printed, and nothing has moved since
}

// A process that uses less of a processor than idlePart stands still. Idle JVMs use up to one percent.
const idlePart = 0.02

// leastInterval is the least time between two looks. The kernel counts hundredths of a second, and one of them has to
// be less than idlePart of the interval.
const leastInterval = time.Second

// run looks until the context ends.
func (w *watcher) run(ctx context.Context) {
	interval := max(min(w.noProgress, w.check)/4, leastInterval)
	for {
		if failed := w.look(time.Now()); failed != nil {
			w.env.print("the command is not watched: %v", failed)
			return
		}
		var stuck []int
		reason := ""
		switch deadlocked := w.deadlocked(ctx); {
		case w.told:
		case len(deadlocked) > 0:
			stuck, reason = deadlocked, "a JVM is deadlocked"
		case w.looked.Sub(w.since) >= w.noProgress:
			stuck, reason = w.jvms(), fmt.Sprintf("no output and no work for %v", w.noProgress)
		}
		if reason != "" && ctx.Err() == nil {
			w.tell(ctx, reason, stuck)
			if w.kills {
				w.kill()
				return
			}
			if pause(ctx, interval) != nil {
				return
			}
			if failed := w.look(time.Now()); failed != nil { // what the JVMs did for the verdict is not progress
				w.env.print("the command is not watched any more: %v", failed)
				return
			}
			w.told = true
		}
		if pause(ctx, interval) != nil {
			return
		}
	}
}

// look compares what the processes have used with the previous look.
func (w *watcher) look(now time.Time) error {
	found, err := attach.Marked(w.mark)
	if err != nil {
		return err
	}
	elapsed, used, moved := now.Sub(w.looked), time.Duration(0), len(found) != len(w.before)
	still := map[int]time.Time{}
	for _, p := range found {
		i := slices.IndexFunc(w.before, func(b attach.Usage) bool { return b.PID == p.PID && b.Started == p.Started })
		if i < 0 {
			moved = true
			continue
		}
		used += p.CPU - w.before[i].CPU
		wrote := p.Written > w.before[i].Written
		moved = moved || wrote
		if p.JVM && !wrote && float64(p.CPU-w.before[i].CPU) < idlePart*float64(elapsed) {
			if still[p.PID] = w.looked; !w.still[p.PID].IsZero() {
				still[p.PID] = w.still[p.PID]
			}
		}
	}
	if moved || float64(used) >= idlePart*float64(max(len(w.jvms()), 1))*float64(elapsed) {
		w.since, w.told = now, false
	}
	for pid := range w.checked {
		if still[pid].IsZero() {
			delete(w.checked, pid)
		}
	}
	w.before, w.looked, w.still = found, now, still
	return nil
}

// jvms returns the JVMs of the command.
func (w *watcher) jvms() (pids []int) {
	for _, p := range w.before {
		if p.JVM {
			pids = append(pids, p.PID)
		}
	}
	return pids
}

// deadlocked looks for deadlocks in JVMs that have stood still for long, once each time they do, and returns the
// deadlocked ones.
func (w *watcher) deadlocked(ctx context.Context) (pids []int) {
	asked := false
	for pid, since := range w.still {
		if w.checked[pid] || w.looked.Sub(since) < w.check {
			continue
		}
		w.checked[pid], asked = true, true
		var ignored bytes.Buffer
		ask := &environment{stdin: strings.NewReader(""), stdout: &ignored, stderr: &ignored}
		err := ask.run(ctx, []string{"trcx", "deadlocks", "--pid", strconv.Itoa(pid), "--fail-on", "deadlock"})
		if errors.Is(err, errFindings) {
			pids = append(pids, pid)
		}
	}
	if asked { // what the JVMs did for the answer is not progress
		w.before = w.refreshed()
	}
	slices.Sort(pids)
	return pids
}

// refreshed returns what the processes have used so far.
func (w *watcher) refreshed() []attach.Usage {
	found, err := attach.Marked(w.mark)
	if err != nil {
		return w.before
	}
	return found
}

// tell prints why the JVMs are stuck.
func (w *watcher) tell(ctx context.Context, reason string, pids []int) {
	var verdict bytes.Buffer
	if len(pids) == 0 {
		verdict.WriteString("The command has no JVM that trcx can look into.\n")
	} else {
		args := slices.Concat([]string{"trcx", "why", "-o", w.folder}, w.flags, []string{"--"})
		for _, pid := range pids {
			args = append(args, strconv.Itoa(pid))
		}
		ask := &environment{stdin: strings.NewReader(""), stdout: &verdict, stderr: w.env.stderr}
		if err := ask.run(ctx, args); err != nil && !errors.Is(err, errFindings) {
			fmt.Fprintf(&verdict, "%v\n", err)
		}
	}
	if !w.quiet {
		w.env.print("%s; this is why:", reason)
		fmt.Fprint(w.env.stderr, verdict.String())
	}
	if err := w.keep(reason, verdict.String()); err != nil {
		w.env.print("%v", err)
	}
}

// keep writes the verdict to the folder, and to GitHub's summary.
func (w *watcher) keep(reason, verdict string) error {
	if err := os.MkdirAll(w.folder, 0o777); err != nil {
		return err
	}
	text := reason + "; this is why:\n" + verdict
	err := os.WriteFile(filepath.Join(w.folder, "why.txt"), []byte(text), 0o666)
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		return err
	}
	for line := range strings.Lines(verdict) {
		if !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "Process ") && strings.TrimSpace(line) != "" {
			report.Annotate(w.env.stdout, "trcx watch", strings.TrimSpace(line))
		}
	}
	summary := os.Getenv("GITHUB_STEP_SUMMARY")
	if summary == "" {
		return err
	}
	file, failed := os.OpenFile(summary, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if failed == nil {
		// indented by four, everything is shown as text
		_, failed = fmt.Fprintf(file, "### trcx watch: %s\n\n    %s\n", reason,
			strings.ReplaceAll(strings.TrimSpace(verdict), "\n", "\n    "))
		failed = errors.Join(failed, file.Close())
	}
	return errors.Join(err, failed)
}

// killPause is the time that processes have to end after SIGTERM.
const killPause = 5 * time.Second

// kill ends the processes of the command.
func (w *watcher) kill() {
	w.killed = true
	if !w.quiet {
		w.env.print("the command is ended")
	}
	w.signal(syscall.SIGTERM)
	for end := time.Now().Add(killPause); time.Now().Before(end) && len(w.refreshed()) > 0; {
		time.Sleep(50 * time.Millisecond)
	}
	w.signal(syscall.SIGKILL)
}

func (w *watcher) signal(signal syscall.Signal) {
	for _, p := range w.refreshed() {
		if process, err := os.FindProcess(p.PID); err == nil {
			process.Signal(signal) // fails if it has just ended
		}
	}
}
