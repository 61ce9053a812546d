package jvmtest

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/agent/attach"
	"github.com/trcx/trcx/agent/options"
	"github.com/trcx/trcx/internal/testtool"
)

// checked has the values with which TestCheckJNI records, for each option. It has none for options that select where
// the trace goes and what it shows, which the part in the JVM does not see, and for options that select the default.
var checked = map[string][]string{
	"file": nil, "tcp": nil, "unix": nil, "token": nil, "token-file": nil, "filters": nil, "profile": nil,
	"max-size": nil, "contanalysis": nil, "owner": nil, "parks": nil, "io": nil,
	"ring": nil, "stop": nil, "ready": nil, "summary": nil, "help": nil,
	"stack-depth": {"0", "8", "64"}, "no-contanalysis": {""}, "no-owner": {""}, "owner-period": {"0", "1ms"}, "no-parks": {""}, "no-io": {""},
	"heap": {"sampled", "full"}, "dump-on-exit": {"dump.hprof"}, "wait-sets": {""},
	"exec": {"coverage", "counts", "aggregated", "full", "sampled"}, "min-size": nil, "max-nodes": nil, "auto-tune": nil,
	"interval": nil, "sample-file": nil, "delay": {"100ms"}, "duration": {"200ms"},
}

var usageLine = regexp.MustCompile(`(?m)^  ([a-z-]+)`)

// checkedOptions returns the options of all recordings, in the order of the agent's help.
func checkedOptions(t *testing.T) (all []string) {
	t.Helper()
	own, _, _ := strings.Cut(options.Usage(), "\nFile names")
	names := usageLine.FindAllStringSubmatch(own, -1)
	for _, match := range names {
		values, known := checked[match[1]]
		if !known {
			t.Errorf("is the option %s recorded with -Xcheck:jni?", match[1])
		}
		for _, value := range values {
			all = append(all, options.Item(match[1], value))
		}
	}
	if len(names) != len(checked) {
		t.Errorf("%d options are checked, of %d", len(checked), len(names))
	}
	return append(all, "heap=full,delay=100ms,duration=200ms", "exec=aggregated,auto-tune,min-size=0,interval=1ms")
}

// checkFlags are JVMs' options that have each use of JNI checked.
func checkFlags() (all []setup) {
	all = []setup{{"Xcheck", []string{"-Xcheck:jni"}}}
	for _, s := range setups[:some(0, len(setups)-1)] {
		all = append(all, setup{s.name, append(slices.Clone(s.flags), "-XX:+CheckJNICalls")})
	}
	return all
}

// TestCheckJNI proves that a JVM that checks each use of JNI prints the same with the agent as without it, whatever is
// recorded.
func TestCheckJNI(t *testing.T) {
	b := newBench(t)
	all := checkedOptions(t)
	for _, j := range b.jdks {
		for _, p := range everything {
			for _, s := range checkFlags() {
				if p.runsIn(j) {
					t.Run(strings.Join([]string{j.String(), p.args[0], s.name}, "/"), func(t *testing.T) {
						b.checkJNI(t, j, s, p, all)
					})
				}
			}
		}
	}
}

// everything is the program with all kinds of events.
var everything = []program{
	{name: "Everything", args: []string{"platform"}, prints: "done\n"},
	{name: "Everything", args: []string{"virtual"}, prints: "done\n"},
}

// checkJNI runs the program without the agent, and with each of the options.
func (b *bench) checkJNI(t *testing.T, j testtool.JDK, s setup, p program, all []string) {
	run := func(name, agent string, out outcome) {
		t.Run(name, func(t *testing.T) {
			flags := append(slices.Clone(s.flags), "-Xmx256m", "-cp", b.classes)
			if agent != "" {
				flags = append(flags, agent)
			}
			cmd, cancel := b.command(j, append(append(flags, p.name), p.args...)...)
			defer cancel()
			cmd.Dir = t.TempDir()
			b.finish(t, cmd, &out)
			p.check(t, out)
			if out.stderr != "" {
				t.Error(out.stderr)
			}
			if agent == "" {
				return
			}
			if result, err := Validate(out.trace); err != nil || !result.Valid() {
				t.Errorf("%v: %+v", err, result)
			}
		})
	}
	run("alone", "", outcome{})
	for _, option := range all {
		if p.args[0] == "virtual" && !testtool.Matrix() && !strings.HasPrefix(option, "heap") && !strings.HasPrefix(option, "exec") &&
			option != "wait-sets" {
			continue // these options make the largest difference to virtual threads
		}
		out := outcome{trace: b.traceFile(t)}
		run(option, "-agentpath:"+b.agent+"="+option+",file="+out.trace, out)
	}
}

// refusal is the agent's message to a program that is recorded already.
var refusal = regexp.MustCompile(`(?m)^trcx: this program is recorded already; .*\n`)

// TestCheckJNIAttached proves the same for recordings of a running JVM, one after the other, and for one that is
// refused.
func TestCheckJNIAttached(t *testing.T) {
	b := newBench(t)
	all := checkedOptions(t)
	for _, j := range b.jdks {
		for _, p := range everything {
			if !p.runsIn(j) {
				continue
			}
			t.Run(j.String()+"/"+p.args[0], func(t *testing.T) {
				cmd, cancel := b.command(j, "-Xcheck:jni", "-XX:+EnableDynamicAgentLoading", "-cp", b.classes, p.name,
					p.args[0], "again")
				defer cancel()
				jvm := startProgram(t, cmd)
				jvm.await("ready")
				for _, option := range all {
					trace := b.traceFile(t)
					jvm.load(b.agent, option+",file="+trace)
					jvm.load(b.agent, "ready")
					var refused *attach.AgentError
					err := attach.Load(context.Background(), cmd.Process.Pid, b.agent, "file="+trace)
					if !errors.As(err, &refused) {
						t.Errorf("a second recording: %v", err)
					}
					jvm.answer("\n")
					jvm.await("done")
					err = attach.Load(context.Background(), cmd.Process.Pid, b.agent, "stop")
					if err != nil && !(errors.As(err, &refused) && strings.Contains(option, "duration")) {
						t.Errorf("%s: %v", option, err)
					}
					if result, err := Validate(trace); err != nil || !result.Valid() {
						t.Errorf("%s: %v: %+v", option, err, result)
					}
				}
				jvm.stdin.Close()
				err := cmd.Wait()
				if more := refusal.ReplaceAllString(jvm.stderr.String(), ""); err != nil || more != "" {
					t.Errorf("%v\n%s", err, more)
				}
			})
		}
	}
}
