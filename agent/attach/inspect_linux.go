package attach

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// probe is the signal number that sends nothing, but tests existence and permission.
const probe = syscall.Signal(0)

// Inspect returns the process's JVM if the agent can be loaded into it; otherwise the error says why not. It sends no
// signal.
func Inspect(pid int) (JVM, error) {
	s, err := readStatus(pid)
	switch {
	case errors.Is(err, fs.ErrNotExist) || pid <= 0:
		return JVM{}, noProcess(pid)
	case err != nil:
		return JVM{}, fmt.Errorf("process %d cannot be inspected: %w", pid, err)
	case s.group != pid:
		return JVM{}, fmt.Errorf("%d is a thread of process %d; name that one", pid, s.group)
	case s.ended():
		return JVM{}, fmt.Errorf("process %d (%s) has ended", pid, s.name)
	}
	library, agent, err := findLibraries(pid)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return JVM{}, foreign(pid, s.name, s.uid)
	case err == errNotJVM:
		return JVM{}, fmt.Errorf("process %d (%s) %w", pid, s.name, notJVM(s))
	case err != nil:
		return JVM{}, fmt.Errorf("process %d (%s) %w", pid, s.name, err)
	}
	return JVM{PID: pid, Inside: s.inside, UID: s.uid, Name: s.name, Library: library, Agent: agent,
		Elsewhere: elsewhere(pid)}, nil
}

// JVMs returns the ids of the processes that Inspect accepts, in ascending order: the JVMs into which this user may
// load the agent.
func JVMs() ([]int, error) {
	entries, err := os.ReadDir("/proc")
	var pids []int
	for _, entry := range entries {
		pid, failed := strconv.Atoi(entry.Name())
		if failed != nil {
			continue
		}
		if _, failed := Inspect(pid); failed == nil {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids, err
}

// noProcess returns the error for a pid without a process, or with a hidden one.
func noProcess(pid int) error {
	if pid > 0 && errors.Is(unix.Kill(pid, 0), unix.EPERM) {
		if os.Geteuid() == 0 {
			return fmt.Errorf("process %d is hidden, even from root: this container forbids it to be inspected", pid)
		}
		return fmt.Errorf("process %d is hidden: it belongs to another user; run trcx as that user, or as root", pid)
	}
	return fmt.Errorf("there is no process %d; ps -C java lists JVMs", pid)
}

// foreign returns the error for a process that may not be inspected.
func foreign(pid int, name string, uid int) error {
	switch me := os.Geteuid(); {
	case me == 0:
		return fmt.Errorf("process %d (%s) may not be inspected, even by root: this system or container forbids it "+
			"(ptrace); run trcx where the process was started", pid, name)
	case me == uid:
		return fmt.Errorf("process %d (%s) is protected from its own user; run trcx as root", pid, name)
	}
	if uid == 0 {
		return fmt.Errorf("process %d (%s) belongs to root; run trcx as root", pid, name)
	}
	return fmt.Errorf("process %d (%s) belongs to user %d; run trcx as that user (sudo -u '#%d' trcx …), or as root",
		pid, name, uid, uid)
}

// elsewhere reports whether the process's file system differs from this process's.
func elsewhere(pid int) bool {
	here, err1 := os.Readlink("/proc/self/ns/mnt")
	there, err2 := os.Readlink(fmt.Sprintf("/proc/%d/ns/mnt", pid))
	if err1 != nil || err2 != nil || here != there {
		return true
	}
	myRoot, err1 := os.Stat("/")
	itsRoot, err2 := os.Stat(fmt.Sprintf("/proc/%d/root/", pid))
	return err1 != nil || err2 != nil || !os.SameFile(myRoot, itsRoot)
}

// status is the parsed content of /proc/PID/status.
type status struct {
	name, state        string
	group, inside, uid int
	tracer             int    // the process that debugs it, or 0
	caught             uint64 // signals with a handler, signal 1 in bit 0
}

func readStatus(pid int) (status, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if errors.Is(err, unix.ESRCH) { // it ended between opening and reading
		err = fs.ErrNotExist
	}
	if err != nil {
		return status{}, err
	}
	return parseStatus(string(text))
}

// parseStatus parses the lines that are used. Kernels without pid namespaces have no NStgid.
func parseStatus(text string) (s status, err error) {
	number := func(text string) int {
		n, trouble := strconv.Atoi(text)
		if trouble != nil {
			err = fmt.Errorf("its status in /proc cannot be parsed: %w", trouble)
		}
		return n
	}
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(line, ":")
		words := strings.Fields(value)
		if len(words) == 0 {
			continue
		}
		switch last := words[len(words)-1]; key {
		case "Name":
			s.name = strings.TrimSpace(value)
		case "State":
			s.state = words[0]
		case "Tgid":
			s.group = number(words[0])
			s.inside = s.group
		case "NStgid":
			s.inside = number(last)
		case "TracerPid":
			s.tracer = number(words[0])
		case "Uid":
			s.uid = number(words[min(1, len(words)-1)])
		case "SigCgt":
			if s.caught, err = strconv.ParseUint(last, 16, 64); err != nil {
				return s, err
			}
		}
	}
	return s, err
}

// ended reports whether the process is a zombie.
func (s status) ended() bool { return s.state == "Z" || s.state == "X" }

// stopped reports whether the process is stopped by a signal or a debugger.
func (s status) stopped() bool { return s.state == "T" || s.state == "t" }

// catchesQuit reports whether the process has a handler for SIGQUIT.
func (s status) catchesQuit() bool { return s.caught>>(uint(unix.SIGQUIT)-1)&1 != 0 }

// errNotJVM is the error for a process without libjvm.so.
var errNotJVM = errors.New("it has no libjvm.so")

// notJVM returns the error for a process without libjvm.so, which may be a JVM that has just been started.
func notJVM(s status) error {
	if s.name == "java" {
		return errors.New("is not a JVM: it has no libjvm.so; if it has only just begun, try again")
	}
	return errors.New("is not a JVM: it has no libjvm.so")
}

// findLibraries returns the paths of the process's libjvm.so and of the agent's library from its memory map.
func findLibraries(pid int) (library, agent string, err error) {
	maps, err := os.Open(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return "", "", err
	}
	defer maps.Close()
	return parseMaps(maps)
}

// parseMaps returns the paths of libjvm.so and of the agent's library, or an error if another mapped file shows a JVM
// in which the agent cannot run.
func parseMaps(maps io.Reader) (library, agent string, err error) {
	lines := bufio.NewScanner(maps)
	for lines.Scan() {
		_, file, ok := strings.Cut(lines.Text(), "/")
		if !ok {
			continue
		}
		file, deleted := strings.CutSuffix("/"+file, " (deleted)") // a JDK that was updated while it runs
		switch name := path.Base(file); {
		case strings.HasPrefix(name, "libj9vm"):
			return "", "", errors.New(
				"is an OpenJ9 JVM; trcx records HotSpot JVMs, such as OpenJDK, Temurin, Corretto and Zulu")
		case strings.HasPrefix(name, "ld-musl-") || strings.HasPrefix(name, "libc.musl-"):
			return "", "", errors.New(
				"runs on musl (Alpine Linux), where the agent cannot be loaded; use a JDK on glibc, such as an " +
					"image of Debian, Ubuntu or UBI")
		case name == "libjvm.so":
			library = file
		case strings.HasSuffix(name, LibraryName) && !deleted:
			agent = file
		}
	}
	if err := lines.Err(); err != nil {
		return "", "", fmt.Errorf("cannot be inspected: %w", err)
	}
	if library == "" {
		return "", "", errNotJVM
	}
	return library, agent, nil
}
