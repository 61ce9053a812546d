package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
)

// servePrism is prism as a process of its own, as Beam's command prism starts it.
func servePrism(port string) {
	number, err := strconv.Atoi(port)
	if err == nil {
		_, err = prism.CreateJobServer(context.Background(), prism.Options{Port: number})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitIO)
	}
	select {} // until it is killed
}

// startPrism starts prism as a process, and returns its address.
func startPrism(t *testing.T) string {
	t.Helper()
	free, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	port := strconv.Itoa(free.Addr().(*net.TCPAddr).Port)
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	server := process(t)
	server.Env = append(server.Env, "TRCX_FLEET_PRISM="+port)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Process.Kill(); server.Wait() })
	for range 600 {
		if conn, err := net.Dial("tcp", "localhost:"+port); err == nil {
			conn.Close()
			return "localhost:" + port
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("prism has not started")
	return ""
}

// process returns trcx-fleet as a process, with a temporary folder of its own.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(own, args...)
	command.Env = append(os.Environ(), "TRCX_FLEET_MAIN=1", "TMPDIR="+t.TempDir())
	return command
}

// runs runs trcx-fleet as a process whose exit status is known, and returns its standard error. It leaves nothing in the
// temporary folder.
func runs(t *testing.T, status int, environment []string, args ...string) string {
	t.Helper()
	command := process(t, args...)
	temporary := strings.TrimPrefix(command.Env[len(command.Env)-1], "TMPDIR=")
	command.Env = append(command.Env, environment...)
	var errs bytes.Buffer
	command.Stderr = &errs
	if err := command.Run(); command.ProcessState == nil || command.ProcessState.ExitCode() != status {
		t.Fatalf("%q: %v, want exit status %d\n%s", args, err, status, errs.String())
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("%q has left %v in the temporary folder: %v", args, left, err)
	}
	return errs.String()
}

// contents returns the files below a folder but run.json, which has the arguments.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == "run.json" {
			return err
		}
		text, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, folder)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// broken adds files that are dead or partial to folders of traces.
func broken(t *testing.T, folder string) {
	t.Helper()
	text, err := os.ReadFile("../../../testdata/recorded/orders-jdk17.trcxml")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"cut": text[:len(text)/2], "note": []byte("no trace"), "bytes-\xff\xfe": text} {
		if err := os.WriteFile(filepath.Join(folder, "service=orders/release=17", name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRunners compares all files of runs on prism in this process, and on prism as a process with workers in that of
// trcx-fleet (LOOPBACK) and in processes of their own (PROCESS).
func TestRunners(t *testing.T) {
	folder, server := traces(t), startPrism(t)
	broken(t, folder)
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	pattern, out := folder+"/*/*/*", t.TempDir()
	portable := []string{"--", "--runner=universal", "--endpoint=" + server}
	for name, args := range map[string][]string{"embedded": nil,
		"LOOPBACK": append(slices.Clone(portable), "--environment_type=LOOPBACK"),
		"PROCESS": append(slices.Clone(portable), "--environment_type=PROCESS",
			fmt.Sprintf(`--environment_config={"command":%q}`, own)),
		"prism": append(slices.Clone(portable[:1]), "--runner=prism", "--endpoint="+server, "--environment_type=LOOPBACK")} {
		said := runs(t, exitFindings, nil, append([]string{"run", pattern, "-o", filepath.Join(out, name), "--shards", "3"}, args...)...)
		if !strings.Contains(said, "9 files: 7 complete, 1 partial, 0 empty, 1 dead") {
			t.Errorf("%s says: %s", name, said)
		}
	}
	want := contents(t, filepath.Join(out, "embedded"))
	for _, name := range []string{"LOOPBACK", "PROCESS", "prism"} {
		if got := contents(t, filepath.Join(out, name)); !maps.Equal(got, want) {
			t.Errorf("the files of %s differ from those of prism in this process", name)
		}
	}
	if len(want) < 20 {
		t.Errorf("there are %d files", len(want))
	}
}

// TestStuckJob: a job whose workers do not start, and a job server that is not there, are errors. The former is cancelled;
// unless the user has named it, since others may have that name.
func TestStuckJob(t *testing.T) {
	pattern, out := traces(t)+"/*/*/*", t.TempDir()
	silent := filepath.Join(t.TempDir(), "silent") // prism may panic if the command ends
	if err := os.WriteFile(silent, []byte("#!/bin/sh\nexec sleep 20\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	command := fmt.Sprintf(`--environment_config={"command":%q}`, silent)
	said := runs(t, exitIO, nil, "run", pattern, "-o", out, "--timeout", "3s", "--", "--runner=universal",
		"--endpoint="+startPrism(t), "--environment_type=PROCESS", command)
	if !strings.Contains(said, "the job has not ended in 3s, perhaps because no worker has started; the job was cancelled") {
		t.Errorf("it says: %s", said)
	}
	if said := runs(t, exitIO, nil, "run", pattern, "-o", out, "--timeout", "2s", "--", "--runner=universal", "--job_name=sums",
		"--endpoint="+startPrism(t), "--environment_type=PROCESS", command); !strings.Contains(
		said, "the runner may still work on the job sums") {
		t.Errorf("it says: %s", said)
	}
	if _, said := must(t, exitIO, "stats", out); !strings.Contains(said, "its run goes on or has failed") {
		t.Errorf("stats says: %s", said)
	}
	if said := runs(t, exitIO, nil, "run", pattern, "-o", out, "--", "--runner=universal", "--endpoint=localhost:1",
		"--environment_type=LOOPBACK"); !strings.Contains(said, "the job server cannot be reached") {
		t.Errorf("it says: %s", said)
	}
	if said := runs(t, exitUsage, nil, "run", pattern, "-o", out, "--", "--runner=flunk"); !strings.Contains(said,
		`"flunk" is none of dataflow, flink, prism, spark, universal`) {
		t.Errorf("it says: %s", said)
	}
}

// TestKilled: runs that are killed at several moments, one of them while it reads a file, leave nothing that a later run
// takes for its own.
func TestKilled(t *testing.T) {
	folder, whole, out := traces(t), t.TempDir(), t.TempDir()
	broken(t, folder)
	pattern := folder + "/*/*/*"
	must(t, exitFindings, "run", pattern, "-o", whole, "--shards", "2")

	pipe := filepath.Join(folder, "service=orders/release=25/pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	inTheMiddle := process(t, "run", pattern, "-o", out, "--shards", "2")
	if err := inTheMiddle.Start(); err != nil {
		t.Fatal(err)
	}
	w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // it waits until the file is opened for reading
	if err != nil {
		t.Fatal(err)
	}
	inTheMiddle.Process.Kill()
	inTheMiddle.Wait() // it was killed
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, said := must(t, exitIO, "stats", out); !strings.Contains(said, "its run goes on or has failed") {
		t.Errorf("stats says: %s", said)
	}
	if err := os.Remove(pipe); err != nil {
		t.Fatal(err)
	}
	for wait := 20 * time.Millisecond; wait < 500*time.Millisecond; wait *= 2 {
		killed := process(t, "run", pattern, "-o", out, "--shards", "3")
		if err := killed.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(wait)
		killed.Process.Kill()
		killed.Wait() // it was killed, or has ended
	}
	if err := os.MkdirAll(filepath.Join(out, "rows"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"rows/.part-00000-of-00002.parquet-1.tmp", ".classes.json-1.tmp"} {
		if err := os.WriteFile(filepath.Join(out, name), []byte("half"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	must(t, exitFindings, "run", pattern, "-o", out, "--shards", "2")
	if !maps.Equal(contents(t, out), contents(t, whole)) {
		t.Error("after runs that were killed the files differ")
	}
}
