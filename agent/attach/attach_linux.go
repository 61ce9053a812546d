package attach

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/trcx/trcx/internal/tempfile"
)

// Load loads the library as an agent into the process's JVM, passes the options to Agent_OnAttach, and returns when
// that has. The library is an absolute path in the JVM's file system. Library and options are limited to 1024 bytes
// each. If the JVM has loaded the same library already, from another path, that one is used: it keeps it until it ends,
// and an agent refuses to start beside another one. All waits have limits, also if ctx has no deadline. The error says
// what to do; it is an *AgentError if the agent refused to start.
func Load(ctx context.Context, pid int, library, options string) error {
	t, err := open(pid)
	if err != nil {
		return err
	}
	defer t.close()
	if err := t.checkLibrary(library); err != nil {
		return err
	}
	answer, err := t.load(ctx, t.loadedCopy(library), options)
	if err != nil {
		return err
	}
	err = answer.loaded(t.JVM)
	if refused, ok := errors.AsType[*AgentError](err); ok {
		refused.Reason = t.refusal(ctx)
	}
	return err
}

// load sends the command to load the library, again while the JVM has not started: it answers a little before it takes
// agents.
func (t *target) load(ctx context.Context, library, options string) (answer, error) {
	const pause = 20 * time.Millisecond
	for waited := time.Duration(0); ; waited += pause {
		a, err := t.execute(ctx, "load", library, "true", options)
		if err != nil || !a.tooEarly() || waited > 10*time.Second {
			return a, err
		}
		if err := sleep(ctx, pause); err != nil {
			return answer{}, err
		}
	}
}

// ThreadDump returns a thread dump of the process's JVM, with monitors and ownable synchronizers, as jcmd PID
// Thread.print -l prints it. All waits have limits, also if ctx has no deadline. The error says what to do.
func ThreadDump(ctx context.Context, pid int) (string, error) {
	t, err := open(pid)
	if err != nil {
		return "", err
	}
	defer t.close()
	answer, err := t.execute(ctx, "threaddump", "-l")
	if err == nil && answer.code != 0 {
		err = fmt.Errorf("%v returned no thread dump: code %d, %.80q", t, answer.code, answer.text)
	}
	return answer.text, err
}

// ThreadDumpAsJSON returns a thread dump of the process's JVM as jcmd PID Thread.dump_to_file -format=json writes it,
// since JDK 21: one with all virtual threads, and since JDK 25 with monitors. The JVM examines one thread after the
// other. All waits have limits, also if ctx has no deadline. The error says what to do.
func ThreadDumpAsJSON(ctx context.Context, pid int) (string, error) {
	t, err := open(pid)
	if err != nil {
		return "", err
	}
	defer t.close()
	name := tempfile.Name(fmt.Sprintf("threads-%d.json", t.Inside))
	defer os.Remove(t.inTmp(name))
	answer, err := t.execute(ctx, "jcmd", "Thread.dump_to_file -format=json /tmp/"+name)
	if err != nil {
		return "", err
	}
	text, err := t.readTmp(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = fmt.Errorf("%v has written no thread dump as JSON: %s", t, answer.reason())
	case err != nil:
		err = fmt.Errorf("the thread dump that %v has written into its /tmp/%s cannot be read: %w", t, name, bare(err))
	}
	return string(text), err
}

// HeapDump makes the process's JVM write a heap dump into the file, an absolute path in the JVM's file system that does
// not exist yet; all selects unreachable objects, too. The JVM's threads are stopped meanwhile. HeapDump waits until
// the JVM has completed the dump, ends or is stopped, or ctx is done. The error says what to do.
func HeapDump(ctx context.Context, pid int, file string, all bool) error {
	t, err := open(pid)
	if err != nil {
		return err
	}
	defer t.close()
	objects := "-live"
	if all {
		objects = "-all"
	}
	running, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go t.watch(running, cancel)
	answer, err := t.executeWithin(running, "dumpheap", file, objects)
	switch {
	case ctx.Err() == nil && running.Err() != nil:
		return context.Cause(running)
	case err != nil:
		return err
	case answer.code != 0 || !strings.Contains(answer.text, dumped):
		return fmt.Errorf("%v has written no heap dump: %s", t, answer.reason())
	}
	return nil
}

// dumped is the part of the answer to dumpheap that shows success; the code is 0 after a failure, too.
const dumped = "Heap dump file created"

// watch cancels with the reason as soon as the JVM has ended or is stopped.
func (t *target) watch(ctx context.Context, cancel context.CancelCauseFunc) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := t.checkRunning(); err != nil {
				cancel(err)
				return
			}
		}
	}
}

// SetFlag sets a flag of the process's JVM that can be changed while it runs, as jcmd PID VM.set_flag does. All waits
// have limits, also if ctx has no deadline. The error says what to do.
func SetFlag(ctx context.Context, pid int, name, value string) error {
	t, err := open(pid)
	if err != nil {
		return err
	}
	defer t.close()
	answer, err := t.execute(ctx, "setflag", name, value)
	if err == nil && answer.code != 0 {
		err = fmt.Errorf("%v has not set its flag %s: %s", t, name, answer.reason())
	}
	return err
}

// refusal returns the JVM's refusalProperty, decoded; "" if it has none.
func (t *target) refusal(ctx context.Context) string {
	properties, err := t.execute(ctx, "properties")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(properties.text) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), refusalProperty+"="); ok {
			reason, _ := url.PathUnescape(value)
			return reason
		}
	}
	return ""
}

// target is a JVM that is attached to.
type target struct {
	JVM
	// process is a handle, so that the pid cannot be reused meanwhile.
	process *os.Process
	// root and tmp are the JVM's / and /tmp.
	root, tmp *os.File
}

// open inspects the process and opens its folders.
func open(pid int) (*target, error) {
	if pid <= 0 {
		return nil, fmt.Errorf("%d is not a process id", pid)
	}
	process, err := os.FindProcess(pid) // opened before the inspection
	if err != nil {
		if _, why := Inspect(pid); why != nil {
			err = why
		}
		return nil, err
	}
	t := &target{process: process}
	if t.JVM, err = Inspect(pid); err == nil {
		err = t.checkUser()
	}
	if err == nil { // a signal to a stopped JVM would make it print its threads when it continues
		err = t.checkRunning()
	}
	if err == nil {
		err = t.openFolders()
	}
	if err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

func (t *target) close() {
	t.process.Release()
	for _, folder := range []*os.File{t.root, t.tmp} {
		if folder != nil {
			folder.Close()
		}
	}
}

// checkUser returns an error for a user whose connection the JVM would close without an answer.
func (t *target) checkUser() error {
	if me := os.Geteuid(); me != 0 && me != t.UID {
		return foreign(t.PID, t.Name, t.UID)
	}
	return nil
}

// alive reports whether the process has not ended.
func (t *target) alive() bool {
	s, err := readStatus(t.PID)
	return err == nil && !s.ended() && t.process.Signal(probe) == nil
}

// checkRunning returns an error for a process that has ended or is stopped.
func (t *target) checkRunning() error {
	s, err := readStatus(t.PID)
	switch {
	case err != nil || !t.alive():
		return t.ended()
	case s.stopped() && s.tracer != 0:
		return fmt.Errorf("%v is stopped by its debugger, process %d, so it was left alone; let it go on there", t, s.tracer)
	case s.stopped():
		return fmt.Errorf("%v is stopped, so it was left alone; kill -CONT %d lets it go on", t, t.PID)
	}
	return nil
}

// ended returns the error for a process that has ended since it was inspected.
func (t *target) ended() error { return fmt.Errorf("%v has ended meanwhile", t) }
