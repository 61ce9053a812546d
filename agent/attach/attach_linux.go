package attach

import (
	"context"
	"fmt"
	"os"
)

// Load loads the library as an agent into the JVM of the process, and returns when Agent_OnAttach has, which gets the
// options. The library is an absolute path in the JVM's file system. Library and options may have 1024 bytes each.
// Without a deadline in ctx it waits for bounded times by itself. An error says what to do; it is an *AgentError if the
// agent itself refused.
func Load(ctx context.Context, pid int, library, options string) error {
	t, err := open(pid)
	if err != nil {
		return err
	}
	defer t.close()
	if err := t.checkLibrary(library); err != nil {
		return err
	}
	answer, err := t.execute(ctx, "load", library, "true", options)
	if err != nil {
		return err
	}
	return answer.loaded(t.JVM)
}

// target is a JVM that is being attached to.
type target struct {
	JVM
	// process is held, so that its number cannot mean another one meanwhile.
	process *os.Process
	// root and tmp are the JVM's folders / and /tmp.
	root, tmp *os.File
}

// open finds the JVM and its folders.
func open(pid int) (*target, error) {
	if pid <= 0 {
		return nil, fmt.Errorf("%d is not the number of a process", pid)
	}
	process, err := os.FindProcess(pid) // before the look at what it is
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

// checkUser refuses what the JVM would refuse without a word.
func (t *target) checkUser() error {
	if me := os.Geteuid(); me != 0 && me != t.UID {
		return foreign(t.PID, t.Name, t.UID)
	}
	return nil
}

// alive says whether the process has not ended.
func (t *target) alive() bool {
	s, err := readStatus(t.PID)
	return err == nil && !s.ended() && t.process.Signal(nothing) == nil
}

func (t *target) ended() error { return fmt.Errorf("%v has ended meanwhile", t) }
