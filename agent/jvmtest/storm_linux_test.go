package jvmtest

import (
	"bufio"
	"bytes"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/trcx/trcx/internal/testtool"
)

// TestSignalStorm sends signals that the JVM handles to each thread of a busy program, again and again. A JVM installs
// such handlers without a signal stack, and on a goroutine's small stack they would end the process. So the agent's
// threads must block them.
func TestSignalStorm(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		for _, s := range setups[:some(1, len(setups))] {
			t.Run(j.String()+"/"+s.name, func(t *testing.T) { b.storm(t, j, s, some(1500, 10_000)) })
		}
	}
}

// storm runs Storm for some milliseconds while signals are sent.
func (b *bench) storm(t *testing.T, j testtool.JDK, s setup, lasts int) {
	trace := b.traceFile(t)
	flags := append(s.flags[:len(s.flags):len(s.flags)], "-agentpath:"+b.agent+"=file="+trace, "-cp", b.classes,
		"Storm", "unused", strconv.Itoa(lasts))
	cmd, cancel := b.command(j, flags...)
	defer cancel()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	said, sent := "", 0
	for lines.Scan() {
		said += lines.Text() + "\n"
		if lines.Text() == "ready" {
			sent = sendSignals(cmd.Process.Pid, time.Duration(lasts)*time.Millisecond*4/5)
		}
	}
	if err := cmd.Wait(); err != nil || said != "ready\nsignals true\n" {
		t.Fatalf("after %d signals: %v, stdout %q\n%s", sent, err, said, stderr.String())
	}
	if result, err := Validate(trace); err != nil || !result.Valid() {
		t.Errorf("%v, %d errors, the first are %v", err, result.Errors, result.Findings)
	}
	t.Logf("%d signals", sent)
}

// sendSignals sends the signals to each thread of the process for a time, and returns their number.
func sendSignals(pid int, lasts time.Duration) (sent int) {
	for end := time.Now().Add(lasts); time.Now().Before(end); time.Sleep(100 * time.Microsecond) {
		tasks, _ := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/task")
		for _, task := range tasks {
			tid, _ := strconv.Atoi(task.Name())
			for _, signal := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT} {
				if _, _, failed := syscall.RawSyscall(syscall.SYS_TGKILL, uintptr(pid), uintptr(tid),
					uintptr(signal)); failed == 0 {
					sent++
				}
			}
		}
	}
	return sent
}
