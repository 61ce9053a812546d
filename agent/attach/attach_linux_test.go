package attach

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestConversation(t *testing.T) {
	eachJDK(t, func(t *testing.T, j jdk) {
		p := j.sleep(t, j.compile(t), nil)
		pid := p.Process.Pid
		jvm, err := Inspect(pid)
		want := JVM{PID: pid, Inside: pid, UID: os.Geteuid(), Name: "java", Library: filepath.Join(j.Home,
			"lib/server/libjvm.so")}
		if err != nil || jvm != want || !isJVM(pid) {
			t.Fatalf("got %+v, %v, want %+v", jvm, err, want)
		}
		if all, err := JVMs(); err != nil || !slices.Contains(all, pid) || slices.Contains(all, os.Getpid()) {
			t.Errorf("the JVMs are %v, %v; want %d and not %d, which is none", all, err, pid, os.Getpid())
		}
		checkProperties(t, p, j) // with a SIGQUIT
		checkProperties(t, p, j) // without one
		if threads, err := ask(t, pid, "threaddump"); err != nil || threads.code != 0 ||
			!strings.Contains(threads.text, "Sleeper.main") {
			t.Errorf("threaddump: %+v, %v", threads, err)
		}
		if help, err := ask(t, pid, "jcmd", "help VM.version"); err != nil ||
			!strings.Contains(help.text, "VM.version") {
			t.Errorf("jcmd: %+v, %v", help, err)
		}
		if got, err := ask(t, pid, "nonsense"); err != nil || got.code == 0 {
			t.Errorf("nonsense: %+v, %v", got, err)
		}
		if _, err := os.Lstat(trigger(pid)); err == nil {
			t.Errorf("%s was not removed", trigger(pid))
		}
		p.checkAlive(t)
	})
}

// TestThreadDump proves that a thread dump has the program's thread and the owners of locks.
func TestThreadDump(t *testing.T) {
	eachJDK(t, func(t *testing.T, j jdk) {
		p := j.sleep(t, j.compile(t), nil)
		dump, err := ThreadDump(t.Context(), p.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"Full thread dump", "\"main\"", "Locked ownable synchronizers:"} {
			if !strings.Contains(dump, want) {
				t.Errorf("the thread dump lacks %q:\n%.2000s", want, dump)
			}
		}
		if _, err := ThreadDump(t.Context(), -1); err == nil {
			t.Error("there is a thread dump of process -1")
		}
	})
}

// TestThreadDumpAsJSON proves that a JVM that can write such a dump does, that its file is removed, and that other JVMs
// return an error.
func TestThreadDumpAsJSON(t *testing.T) {
	eachJDK(t, func(t *testing.T, j jdk) {
		p := j.sleep(t, j.compile(t), nil)
		dump, err := ThreadDumpAsJSON(t.Context(), p.Process.Pid)
		if j.Version < 21 {
			checkError(t, err, "has written no thread dump as JSON: ")
		} else if err != nil || !strings.HasPrefix(dump, "{") || !strings.Contains(dump, `"name": "main"`) {
			t.Errorf("the thread dump is %.2000s, %v", dump, err)
		}
		if left, _ := filepath.Glob(fmt.Sprintf("/tmp/.threads-%d*", p.Process.Pid)); len(left) > 0 {
			t.Errorf("%s were not removed", left)
		}
		if _, err := ThreadDumpAsJSON(t.Context(), -1); err == nil {
			t.Error("there is a thread dump of process -1")
		}
	})
}

// TestHeapDump proves that a JVM writes a dump or reports why not, and that HeapDump does not wait for a stopped one.
func TestHeapDump(t *testing.T) {
	eachJDK(t, func(t *testing.T, j jdk) {
		p := j.sleep(t, j.compile(t), nil)
		file := filepath.Join(t.TempDir(), "dump")
		dump := func(file string) error { return HeapDump(t.Context(), p.Process.Pid, file, false) }
		if err := dump(file); err != nil {
			t.Fatal(err)
		}
		if head, err := os.ReadFile(file); err != nil || !bytes.HasPrefix(head, []byte("JAVA PROFILE")) {
			t.Errorf("the dump begins with %.20q, %v", head, err)
		}
		checkError(t, dump(file), "has written no heap dump: Unable to create "+file+": File exists")
		checkError(t, dump("/nonexistent/dump"), "No such file or directory")
		stopped, cancel := context.WithCancelCause(t.Context())
		if err := p.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		watched := &target{JVM: JVM{PID: p.Process.Pid, Name: "java"}, process: p.Process}
		watched.watch(stopped, cancel)
		checkError(t, context.Cause(stopped), "is stopped, so it was left alone")
		checkError(t, dump(file), "is stopped, so it was left alone")
		if err := p.Process.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
	})
}

// TestHeapDumpStopsAsJcmdDoes proves that the JVM stops its threads for a heap dump by the same operations as for the
// JDK's own command, with and without unreachable objects.
func TestHeapDumpStopsAsJcmdDoes(t *testing.T) {
	eachJDK(t, func(t *testing.T, j jdk) {
		log := filepath.Join(t.TempDir(), "safepoints")
		p := j.sleep(t, j.compile(t), nil, "-Xlog:safepoint:file="+log)
		stops := func(dump func(file string)) string {
			before, _ := os.ReadFile(log)
			dump(filepath.Join(t.TempDir(), "dump.hprof"))
			after, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			var operations []string
			for _, found := range regexp.MustCompile(`Safepoint "(\w+)"`).FindAllSubmatch(after[len(before):], -1) {
				if operation := string(found[1]); operation != "Cleanup" { // the JVM does this by itself, once a second
					operations = append(operations, operation)
				}
			}
			return strings.Join(operations, " ")
		}
		for _, all := range []bool{false, true} {
			theirs := stops(func(file string) {
				arguments := []string{fmt.Sprint(p.Process.Pid), "GC.heap_dump"}
				if all {
					arguments = append(arguments, "-all")
				}
				j.run(t, t.TempDir(), "jcmd", append(arguments, file)...)
			})
			ours := stops(func(file string) {
				if err := HeapDump(t.Context(), p.Process.Pid, file, all); err != nil {
					t.Fatal(err)
				}
			})
			if ours != theirs || !strings.Contains(ours, "HeapDumper") {
				t.Errorf("all %t: the JVM stops for %s, with jcmd for %s", all, ours, theirs)
			}
		}
	})
}

// TestSetFlag proves that flags that can change are set, and others are not.
func TestSetFlag(t *testing.T) {
	eachJDK(t, func(t *testing.T, j jdk) {
		p := j.sleep(t, j.compile(t), nil)
		set := func(name, value string) error { return SetFlag(t.Context(), p.Process.Pid, name, value) }
		if err := set("HeapDumpPath", "/tmp/a.hprof"); err != nil {
			t.Error(err)
		}
		checkError(t, set("UseG1GC", "0"), "has not set its flag UseG1GC")
		flag, err := ask(t, p.Process.Pid, "printflag", "HeapDumpPath")
		if err != nil || !strings.Contains(flag.text, "/tmp/a.hprof") {
			t.Errorf("the flag is %+v, %v", flag, err)
		}
	})
}

// TestLoad uses the JDK's own agent library, which runs a Java program.
func TestLoad(t *testing.T) {
	eachJDK(t, func(t *testing.T, j jdk) {
		folder := j.compile(t)
		p := j.sleep(t, folder, nil)
		load := func(library, options string) error { return Load(t.Context(), p.Process.Pid, library, options) }
		jar := filepath.Join(folder, "agent.jar")
		for _, options := range []string{"hello", "a=b,c=d é", ""} {
			if err := load(j.library("instrument"), jar+"="+options); err != nil {
				t.Error(err)
			}
			p.await(t, "agent "+options+"\n")
		}
		err := load(j.library("instrument"), "/nonexistent.jar")
		if refused := (*AgentError)(nil); !errors.As(err, &refused) || refused.Code != 100 {
			t.Errorf("the agent refused by %v, want an AgentError with 100", err)
		}
		checkError(t, err, "refused to start (return code 100)")
		checkError(t, load(j.library("zip"), ""), "Agent_OnAttach is not available in "+j.library("zip"))
		checkError(t, load(jar, ""), "invalid ELF header")
		checkError(t, load("/nonexistent/lib.so", ""),
			"the agent's library /nonexistent/lib.so cannot be opened: no such file")
		checkError(t, load(folder, ""), "it is not a regular file")
		checkError(t, load("lib.so", ""), "must be an absolute path")
		checkError(t, load(jar, strings.Repeat("x", 1025)),
			"a JVM accepts options and paths of 1024 bytes, not of 1025")
		checkError(t, load(jar, "a\x00b"), "a zero byte")
		p.checkAlive(t)

		missing, err := ask(t, p.Process.Pid, "load", "/nonexistent/lib.so", "true", "")
		if err != nil {
			t.Fatal(err)
		}
		checkError(t, missing.loaded(JVM{}),
			"/nonexistent/lib.so: cannot open shared object file: No such file or directory")
		if longest, err := ask(t, p.Process.Pid, "load", "/nonexistent/lib.so", "true",
			strings.Repeat("x", maxArgument)); err != nil {
			t.Errorf("the longest options: %+v, %v", longest, err)
		}
	})
}

// TestListenerIsThere proves that a JVM that listens from its start gets no signal.
func TestListenerIsThere(t *testing.T) {
	eachJDK(t, func(t *testing.T, j jdk) {
		folder := j.compile(t)
		for _, option := range []string{"-XX:+StartAttachListener", "-Xrs"} {
			p := j.sleep(t, folder, nil, option)
			if _, err := os.Stat(socket(p.Process.Pid)); err != nil {
				t.Errorf("%s: %v", option, err)
			}
			checkProperties(t, p, j)
		}
	})
}

func TestAttachingIsDisabled(t *testing.T) {
	eachJDK(t, func(t *testing.T, j jdk) {
		folder := j.compile(t)
		const option = "-XX:+DisableAttachMechanism"
		p := j.sleep(t, folder, nil, option)
		checkError(t, Load(t.Context(), p.Process.Pid, j.library("zip"), ""), "it was started with "+option+
			" (on its command line); start it without")
		p.checkAlive(t)
		p = j.sleep(t, folder, func(c *exec.Cmd) { c.Env = append(os.Environ(), "JAVA_TOOL_OPTIONS=-Dx=y "+option) })
		checkError(t, Load(t.Context(), p.Process.Pid, j.library("zip"), ""), "(JAVA_TOOL_OPTIONS)")
		p.checkAlive(t)
		p = j.sleep(t, folder, nil, "-XX:-EnableDynamicAgentLoading")
		checkError(t, Load(t.Context(), p.Process.Pid, j.library("zip"), ""), "-XX:+EnableDynamicAgentLoading")
		p.checkAlive(t)
		// If the option is hidden, the signal only causes a thread dump.
		flags := filepath.Join(t.TempDir(), "flags")
		if err := os.WriteFile(flags, []byte(option+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		p = j.sleep(t, folder, nil, "@"+flags)
		checkError(t, Load(soon(t), p.Process.Pid, j.library("zip"), ""), "or the JVM was started with "+option)
	})
}

// TestStaleFiles proves that files of processes that have failed or ended do no harm.
func TestStaleFiles(t *testing.T) {
	eachJDK(t, func(t *testing.T, j jdk) {
		folder := j.compile(t)
		p := j.sleep(t, folder, nil)
		if err := os.WriteFile(trigger(p.Process.Pid), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		defer os.Remove(trigger(p.Process.Pid))
		deaf, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket(p.Process.Pid)})
		if err != nil {
			t.Fatal(err)
		}
		deaf.SetUnlinkOnClose(false)
		deaf.Close()
		checkProperties(t, p, j)
		if _, err := os.Lstat(trigger(p.Process.Pid)); err == nil {
			t.Errorf("%s is still there", trigger(p.Process.Pid))
		}

		// HotSpot creates a removed socket again.
		if err := os.Remove(socket(p.Process.Pid)); err != nil {
			t.Fatal(err)
		}
		checkProperties(t, p, j)
	})
}

// TestImpostors proves that another process's socket with the name of a JVM's is refused.
func TestImpostors(t *testing.T) {
	eachJDK(t, func(t *testing.T, j jdk) {
		p := j.sleep(t, j.compile(t), nil)
		name := socket(p.Process.Pid)
		other, err := net.Listen("unix", name)
		if err != nil {
			t.Fatal(err)
		}
		checkError(t, Load(t.Context(), p.Process.Pid, j.library("zip"), ""),
			fmt.Sprintf("the socket %s belongs to process %d, not to process %d (java)", name, os.Getpid(),
				p.Process.Pid))
		other.Close()
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		defer os.Remove(name)
		checkError(t, Load(t.Context(), p.Process.Pid, j.library("zip"), ""), "is not the socket of process")
		p.checkAlive(t)
	})
}

// TestManyAtOnce proves that only one of several concurrent attachments sends a signal.
func TestManyAtOnce(t *testing.T) {
	eachJDK(t, func(t *testing.T, j jdk) {
		p := j.sleep(t, j.compile(t), nil)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() { checkProperties(t, p, j) })
		}
		all.Wait()
		p.checkAlive(t)
	})
}

// TestFromTheBeginning proves that a JVM that does not catch SIGQUIT yet gets none.
func TestFromTheBeginning(t *testing.T) {
	eachJDK(t, func(t *testing.T, j jdk) {
		folder := j.compile(t)
		for range 10 {
			p := start(t, nil, j.Tool("java"), append(small, "-cp", folder, "Sleeper")...)
			for !isJVM(p.Process.Pid) {
				time.Sleep(time.Millisecond)
			}
			// so early, the JVM may be unable to list its properties: any answer shows that it lives
			if answer, err := ask(t, p.Process.Pid, "properties"); err != nil {
				t.Errorf("properties: %+v, %v", answer, err)
			}
			p.checkAlive(t)
		}
	})
}

func TestStoppedJVM(t *testing.T) {
	eachJDK(t, func(t *testing.T, j jdk) {
		p := j.sleep(t, j.compile(t), nil)
		pid := p.Process.Pid
		stop := func() {
			p.Process.Signal(syscall.SIGSTOP)
			for s, _ := readStatus(pid); !s.stopped(); s, _ = readStatus(pid) {
				time.Sleep(time.Millisecond)
			}
		}
		stop()
		want := fmt.Sprintf("is stopped, so it was left alone; kill -CONT %d lets it go on", pid)
		checkError(t, Load(soon(t), pid, j.library("zip"), ""), want)
		p.Process.Signal(syscall.SIGCONT)
		if _, err := ask(t, pid, "properties"); err != nil {
			t.Error(err)
		}
		p.checkAlive(t) // and has not printed its threads

		// It is stopped after it was inspected.
		inspected, err := open(pid)
		if err != nil {
			t.Fatal(err)
		}
		defer inspected.close()
		stop()
		cancelled, cancel := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, cancel)
		if _, err := inspected.execute(cancelled, "properties"); err != context.Canceled {
			t.Errorf("cancelled: %v", err)
		}
		time.AfterFunc(50*time.Millisecond, func() { p.Process.Kill() })
		_, err = inspected.execute(t.Context(), "properties")
		checkError(t, err, "has ended meanwhile")
	})
}

// TestDebuggedProcess proves that the error for a process that its debugger has stopped names the debugger.
func TestDebuggedProcess(t *testing.T) {
	runtime.LockOSThread() // the debugger is a thread
	defer runtime.UnlockOSThread()
	p := start(t, func(c *exec.Cmd) { c.SysProcAttr.Ptrace = true }, "sleep", "60")
	s, _ := readStatus(p.Process.Pid)
	for ; !s.stopped(); s, _ = readStatus(p.Process.Pid) {
		time.Sleep(time.Millisecond)
	}
	debugged := &target{JVM: JVM{PID: p.Process.Pid, Name: "sleep"}, process: p.Process}
	checkError(t, debugged.checkRunning(), fmt.Sprintf(
		"(sleep) is stopped by its debugger, process %d, so it was left alone; let it go on there", s.tracer))
}

// TestForbidden proves that only another user than root is advised to become root.
func TestForbidden(t *testing.T) {
	root := os.Geteuid() == 0
	for _, uid := range []int{0, os.Geteuid(), 12345} {
		if err := foreign(1, "systemd", uid); strings.Contains(err.Error(), "as root") == root {
			t.Errorf("user %d: %v", uid, err)
		}
	}
}

// TestOthers proves that processes other than JVMs get no SIGQUIT.
func TestOthers(t *testing.T) {
	quick := func(pid int) error { return Load(soon(t), pid, "/etc/hostname", "") }
	p := start(t, nil, "sleep", "60")
	pid := p.Process.Pid
	for s, _ := readStatus(pid); s.name != "sleep"; s, _ = readStatus(pid) {
		time.Sleep(time.Millisecond)
	}
	checkError(t, quick(pid), fmt.Sprintf("process %d (sleep) is not a JVM: it has no libjvm.so", pid))
	p.checkAlive(t)
	p.Process.Kill()
	for s, _ := readStatus(pid); !s.ended(); s, _ = readStatus(pid) {
		time.Sleep(time.Millisecond)
	}
	checkError(t, quick(pid), "has ended") // a zombie
	p.Wait()
	checkError(t, quick(pid), fmt.Sprintf("there is no process %d", pid))
	checkError(t, quick(os.Getpid()), "is not a JVM")
	checkError(t, quick(0), "0 is not a process id")
	checkError(t, quick(-1), "-1 is not a process id")
	checkError(t, quick(1<<30), "there is no process")
	if isJVM(0) || isJVM(-1) || isJVM(os.Getpid()) {
		t.Error("these are no JVMs")
	}
	if tasks, _ := os.ReadDir("/proc/self/task"); len(tasks) > 1 {
		thread := 0
		fmt.Sscan(tasks[len(tasks)-1].Name(), &thread)
		checkError(t, quick(thread), fmt.Sprintf("%d is a thread of process %d", thread, os.Getpid()))
	} else {
		t.Error("this process has one thread only")
	}
}

// nobody is a user that every system has.
const nobody = 65534

// as makes a process run as a user.
func as(uid uint32) func(*exec.Cmd) {
	return func(c *exec.Cmd) { c.SysProcAttr.Credential = &syscall.Credential{Uid: uid, Gid: uid} }
}

func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip(
			"SKIPPED: only root can start processes of other users and in other file systems; run the tests as " +
				"root, as in a container")
	}
}

// TestRootAttaches proves that root can attach to any user's JVM, with files of that user.
func TestRootAttaches(t *testing.T) {
	needRoot(t)
	eachJDK(t, func(t *testing.T, j jdk) {
		folder := j.compile(t)
		p := j.sleep(t, folder, as(nobody))
		checkProperties(t, p, j)
		if err := Load(t.Context(), p.Process.Pid, j.library("instrument"), filepath.Join(folder, "agent.jar")+
			"=root"); err != nil {
			t.Error(err)
		}
		p.await(t, "agent root")
	})
}

// asNobody is the variable with the pid that this test attaches to when it is run again as nobody.
const asNobody = "TRCX_ATTACH_AS_NOBODY"

// TestOthersAreRefused proves that the error for another user's JVM says how to attach to it.
func TestOthersAreRefused(t *testing.T) {
	if pid := 0; os.Getenv(asNobody) != "" {
		fmt.Sscan(os.Getenv(asNobody), &pid)
		checkError(t, Load(soon(t), pid, "/etc/hostname", ""),
			fmt.Sprintf("process %d (java) belongs to root; run trcx as root", pid))
		return
	}
	needRoot(t)
	eachJDK(t, func(t *testing.T, j jdk) {
		folder := j.compile(t)
		p := j.sleep(t, folder, nil)
		program, err := os.ReadFile("/proc/self/exe")
		if err != nil {
			t.Fatal(err)
		}
		copied := filepath.Join(folder, "again")
		if err := os.WriteFile(copied, program, 0o755); err != nil {
			t.Fatal(err)
		}
		defer os.Remove(copied)
		again := exec.Command(copied, "-test.run", "^TestOthersAreRefused$", "-test.v")
		again.Dir, again.SysProcAttr = folder, &syscall.SysProcAttr{}
		as(nobody)(again)
		again.Env = append(os.Environ(), fmt.Sprintf("%s=%d", asNobody, p.Process.Pid))
		if out, err := again.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS") {
			t.Errorf("%v\n%s", err, out)
		}
		p.checkAlive(t)
	})
}

// contained runs a command as the first process of a container with its own /tmp, made in the folder $0, and the folder
// $1 at /tmp/classes.
const contained = `set -e
mount --make-rprivate /
mount -t proc proc /proc
mount -t tmpfs tmpfs "$0"
mkdir "$0/classes"
mount --bind "$1" "$0/classes"
ln -s /tmp/classes/agent.jar "$0/link"
mount --rbind "$0" /tmp
shift
exec "$@"`

// TestContainer proves that a JVM in its own pid and mount namespaces can be attached to.
func TestContainer(t *testing.T) {
	needRoot(t)
	apart := func(c *exec.Cmd) {
		c.SysProcAttr.Cloneflags = unix.CLONE_NEWPID
		c.SysProcAttr.Unshareflags = unix.CLONE_NEWNS
	}
	probe := start(t, apart, "sh", "-c", contained, t.TempDir(), t.TempDir(), "true")
	if err := probe.Wait(); err != nil {
		t.Skipf("SKIPPED: nothing can be mounted here (%v, %s); run the tests as root of the machine", err,
			probe.out.String())
	}
	eachJDK(t, func(t *testing.T, j jdk) {
		folder := j.compile(t)
		java := append([]string{j.Tool("java")}, append(small, "-cp", "/tmp/classes", "Sleeper")...)
		p := start(t, apart, "sh", append([]string{"-c", contained, t.TempDir(), folder}, java...)...)
		p.await(t, "ready")
		pid := p.Process.Pid
		jvm, err := Inspect(pid)
		if err != nil || jvm.Inside != 1 || jvm.PID != pid || !jvm.Elsewhere {
			t.Errorf("got %+v, %v", jvm, err)
		}
		checkProperties(t, p, j)
		if _, err := os.Stat(socket(1)); err == nil {
			t.Errorf("the JVM's socket is in the host's /tmp")
		}
		load := func(library, options string) error { return Load(t.Context(), pid, library, options) }
		if err := load(j.library("instrument"), "/tmp/classes/agent.jar=contained"); err != nil {
			t.Error(err)
		}
		p.await(t, "agent contained")
		checkError(t, load(filepath.Join(folder, "agent.jar"), ""),
			"has its own file system, as in a container, and the agent's library")
		checkError(t, load("/tmp/link", ""), "invalid ELF header") // its target exists in the container only
		p.checkAlive(t)
	})
}

// isJVM reports whether the agent can be loaded into the process.
func isJVM(pid int) bool {
	_, err := Inspect(pid)
	return err == nil
}
