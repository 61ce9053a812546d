package jvmtest

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trcx/trcx/agent/flight"
	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/internal/testtool"
)

// TestSampledMethods proves that a trace has the samples that the JVM has taken: in each method of the program as many
// as a second recording, by the program's user, which jfr prints; and that their thread has its name. A recording of
// other samples by the user changes nothing.
func TestSampledMethods(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		t.Run(j.String(), func(t *testing.T) {
			folder := t.TempDir()
			file, recording := b.traceFile(t), filepath.Join(folder, "own.jfr")
			event, pace := flight.Event(j.Version)
			own := "-XX:StartFlightRecording=settings=none,filename=" + recording + ",+jdk.ExecutionSample#enabled=true," +
				"+jdk.ExecutionSample#period=10ms"
			if event != "jdk.ExecutionSample" {
				own += ",+" + event + "#enabled=true,+" + event + "#" + pace + "=10ms"
			}
			s := setup{flags: []string{"-agentpath:" + b.agent + "=exec=sampled,file=" + file, "-Xlog:jfr+startup=off",
				"-Djava.io.tmpdir=" + folder, own}}
			out := b.run(t, j, s, false, program{name: "Spins"})
			if out.status != 0 || out.stdout != "done\n" {
				t.Fatalf("status %d\n%s%s", out.status, out.stdout, out.stderr)
			}
			if result, err := Validate(file); err != nil || !result.Valid() {
				t.Errorf("%v: %+v", err, result)
			}
			if strings.Contains(string(must(os.ReadFile(file))(t)), "JFR Shutdown Hook") {
				t.Error("the trace has the flight recorder's own end")
			}
			checkSampled(t, file, printedSamples(t, j, recording, event))
			left, err := filepath.Glob(filepath.Join(os.TempDir(), "trcx-samples-*"))
			if err != nil || len(left) > 0 {
				t.Logf("temporary files, of this or of another process: %v", left)
			}
		})
	}
}

// printedSamples returns the samples of the program's methods by thread and innermost method, as jfr prints them.
func printedSamples(t *testing.T, j testtool.JDK, recording, event string) map[string]uint64 {
	t.Helper()
	text, err := exec.Command(j.Tool("jfr"), "print", "--json", "--stack-depth", "64", "--events", event, recording).Output()
	if err != nil {
		t.Fatal(err)
	}
	type thread struct {
		JavaName string `json:"javaName"`
	}
	var printed struct {
		Recording struct {
			Events []struct {
				Values struct {
					SampledThread, EventThread thread
					StackTrace                 struct {
						Frames []struct {
							Method struct {
								Name string
								Type struct{ Name string }
							}
						}
					}
				}
			}
		}
	}
	if err := json.Unmarshal(text, &printed); err != nil {
		t.Fatal(err)
	}
	samples := map[string]uint64{}
	for _, e := range printed.Recording.Events {
		if frames := e.Values.StackTrace.Frames; len(frames) > 0 {
			name := e.Values.SampledThread.JavaName + e.Values.EventThread.JavaName
			samples[name+" "+strings.ReplaceAll(frames[0].Method.Type.Name, "/", ".")+"."+frames[0].Method.Name]++
		}
	}
	return samples
}

// checkSampled compares the samples of the trace with the printed ones.
func checkSampled(t *testing.T, file string, want map[string]uint64) {
	t.Helper()
	c := methods.NewCollector(methods.Options{Forget: true})
	if err := read(file, convert.Options{}, c); err != nil {
		t.Fatal(err)
	}
	all := uint64(0)
	for _, thread := range []string{"first", "second"} {
		tables := c.Sessions()[0].Samples(methods.OnCPU, func(_, name, _ string) bool { return name == thread })
		if tables == nil {
			continue
		}
		for _, r := range tables.Methods {
			if all += r.Calls; r.Class == "Spins" && r.Calls != want[thread+" "+r.Title] {
				t.Errorf("%s: %s has %d samples, and jfr prints %d", thread, r.Title, r.Calls, want[thread+" "+r.Title])
			}
		}
	}
	if all == 0 {
		t.Error(fmt.Sprint("the program's threads have no samples; jfr prints ", want))
	}
}
