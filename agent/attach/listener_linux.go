package attach

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// listenerTimeout is the limit of waiting for a JVM to open its socket.
	listenerTimeout = 10 * time.Second
	// startTimeout is the limit of waiting for the Service Thread of a JVM that has just been started.
	startTimeout = time.Second
	// rivalTimeout is how long another process's .attach_pidN is respected. Then it counts as stale.
	rivalTimeout = time.Second
)

// errNoListener is the error for a JVM without a socket, or with one on which nothing listens.
var errNoListener = errors.New("no listener")

// connect connects to the JVM's attach listener, and starts the listener if necessary.
func (t *target) connect(ctx context.Context) (*net.UnixConn, error) {
	waiting, cancel := context.WithTimeout(ctx, listenerTimeout)
	defer cancel()
	conn, err := t.dial(waiting)
	if err == errNoListener {
		conn, err = t.makeListen(waiting)
	}
	if err != nil && waiting.Err() != nil {
		return nil, t.silence(ctx)
	}
	return conn, err
}

// makeListen starts the listener, unless the JVM disables it, and connects.
func (t *target) makeListen(ctx context.Context) (*net.UnixConn, error) {
	if why := t.disabled(); why != "" {
		return nil, fmt.Errorf("%v cannot be attached to: it was started with -XX:+DisableAttachMechanism (%s); "+
			"start it without, or with the agent: trcx record", t, why)
	}
	return t.wake(ctx)
}

// dial connects to the JVM's socket. It waits while the socket's backlog is full.
func (t *target) dial(ctx context.Context) (*net.UnixConn, error) {
	for {
		conn, err := t.dialOnce(ctx)
		if !errors.Is(err, unix.EAGAIN) { // the backlog is about five
			return conn, err
		}
		if err := sleep(ctx, 10*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

func (t *target) dialOnce(ctx context.Context) (*net.UnixConn, error) {
	name := fmt.Sprintf(".java_pid%d", t.Inside)
	var socket unix.Stat_t
	switch err := unix.Lstat(t.inTmp(name), &socket); {
	case err == unix.ENOENT:
		return nil, errNoListener
	case err != nil:
		return nil, fmt.Errorf("the socket /tmp/%s of %v cannot be inspected: %w", name, t, err)
	case socket.Mode&unix.S_IFMT != unix.S_IFSOCK || int(socket.Uid) != t.UID:
		return nil, fmt.Errorf("/tmp/%s is not the socket of %v, though it has its name; remove it", name, t)
	}
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "unix", t.inTmp(name))
	switch {
	case errors.Is(err, unix.ECONNREFUSED) || errors.Is(err, unix.ENOENT):
		return nil, errNoListener
	case err != nil:
		return nil, fmt.Errorf("the socket /tmp/%s of %v cannot be connected to: %w", name, t, bare(err))
	}
	if err := t.checkPeer(conn.(*net.UnixConn), name); err != nil {
		conn.Close()
		return nil, err
	}
	return conn.(*net.UnixConn), nil
}

// checkPeer returns an error unless the JVM is the listener: any process can create a socket of that name.
func (t *target) checkPeer(conn *net.UnixConn, name string) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	var peer *unix.Ucred
	trouble := raw.Control(func(fd uintptr) {
		peer, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	})
	switch err := errors.Join(trouble, err); {
	case err != nil:
		return fmt.Errorf("the listener on the socket of %v cannot be identified: %w", t, err)
	case peer.Pid != 0 && int(peer.Pid) != t.PID: // 0 is a process outside of this pid namespace
		return fmt.Errorf("the socket /tmp/%s belongs to process %d, not to %v; end that process, or remove the socket",
			name, peer.Pid, t)
	}
	return nil
}

// wake makes the JVM listen by .attach_pidN and SIGQUIT, and connects. If the socket does not appear, it returns the
// error of ctx.
func (t *target) wake(ctx context.Context) (*net.UnixConn, error) {
	if err := t.awaitHandler(ctx); err != nil {
		return nil, err
	}
	file, mine, err := t.attachFile()
	if err != nil {
		return nil, err
	}
	if !mine {
		if conn, err := t.await(ctx, time.Now().Add(rivalTimeout)); err != errNoListener {
			return conn, err
		}
		os.Remove(file)
		if file, _, err = t.attachFile(); err != nil {
			return nil, err
		}
	}
	defer os.Remove(file)
	// Another process may have been faster. A SIGQUIT to a JVM that already listens would make it print its threads.
	if conn, err := t.dial(ctx); err != errNoListener {
		return conn, err
	}
	if err := t.process.Signal(unix.SIGQUIT); err != nil {
		return nil, t.ended()
	}
	if conn, err := t.await(ctx, halfway(ctx)); err != errNoListener {
		return conn, err
	}
	// A JVM whose socket was removed creates it again at a second signal.
	if err := t.process.Signal(unix.SIGQUIT); err != nil {
		return nil, t.ended()
	}
	return t.await(ctx, time.Time{})
}

// halfway returns the middle of the time until the deadline of ctx.
func halfway(ctx context.Context) time.Time {
	end, _ := ctx.Deadline()
	return time.Now().Add(time.Until(end) / 2)
}

// awaitHandler waits until a JVM that has just been started can be sent SIGQUIT. At first the signal would end it. Then
// it catches the signal, but still removes any socket that it finds, which it takes for a remnant of an earlier process
// with the same pid, although it could be its own. Its Service Thread starts after both. JVMs older than JDK 9 do not
// name their threads, so the wait is limited by startTimeout.
func (t *target) awaitHandler(ctx context.Context) error {
	for start := time.Now(); ; {
		s, err := readStatus(t.PID)
		if err != nil || !t.alive() {
			return t.ended()
		}
		if s.catchesQuit() && (t.hasThread("Service Thread") || time.Since(start) > startTimeout) {
			return nil
		}
		if err := sleep(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
}

// hasThread reports whether the process has a thread of that name.
func (t *target) hasThread(name string) bool {
	tasks := fmt.Sprintf("/proc/%d/task", t.PID)
	threads, _ := os.ReadDir(tasks)
	return slices.ContainsFunc(threads, func(thread fs.DirEntry) bool {
		comm, _ := os.ReadFile(filepath.Join(tasks, thread.Name(), "comm"))
		return string(comm) == name+"\n"
	})
}

// await connects as soon as there is a listener. It returns errNoListener at the given time; the zero time is no limit.
func (t *target) await(ctx context.Context, until time.Time) (*net.UnixConn, error) {
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		conn, err := t.dial(ctx)
		if err != errNoListener {
			return conn, err
		}
		if !t.alive() {
			return nil, t.ended()
		}
		if !until.IsZero() && time.Now().After(until) {
			return nil, errNoListener
		}
		if err := sleep(ctx, pause); err != nil {
			return nil, err
		}
	}
}

// sleep waits for a time, or returns the error of ctx when that is done.
func sleep(ctx context.Context, pause time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pause):
		return nil
	}
}

// attachFile creates .attach_pidN, which makes the JVM take SIGQUIT as a request to listen, and reports whether it is
// new. If not, another process is attaching, or has left it.
func (t *target) attachFile() (name string, mine bool, err error) {
	name = fmt.Sprintf(".attach_pid%d", t.Inside)
	var first error
	for _, path := range []string{t.inTmp(name), fmt.Sprintf("/proc/%d/cwd/%s", t.PID, name)} {
		mine, err := t.createAttachFile(path)
		if err == nil {
			return path, mine, nil
		}
		if first == nil {
			first = err
		}
	}
	return "", false,
		fmt.Errorf("%v cannot be attached to: the file %s cannot be created in its /tmp: %w; nor in its working folder",
			t, name, bare(first))
}

// createAttachFile creates the file. The JVM accepts it only if it belongs to the JVM's user, which some file systems
// do not allow.
func (t *target) createAttachFile(path string) (mine bool, err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if mine = err == nil; mine {
		if os.Geteuid() != t.UID {
			file.Chown(t.UID, -1) // the result is tested below
		}
		file.Close()
	} else if !errors.Is(err, fs.ErrExist) {
		return false, err
	}
	var info unix.Stat_t
	if err := unix.Lstat(path, &info); err != nil {
		return false, err
	}
	if info.Mode&unix.S_IFMT == unix.S_IFREG && int(info.Uid) == t.UID {
		return mine, nil
	}
	if mine {
		os.Remove(path)
	}
	return false, errors.New("it would belong to another user")
}

// silence returns the error for a JVM that has not opened its socket before ctx or listenerTimeout ended.
func (t *target) silence(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	if err := t.checkRunning(); err != nil {
		return err
	}
	if s, err := readStatus(t.PID); err == nil && !s.catchesQuit() {
		return fmt.Errorf(
			"%v does not catch SIGQUIT, which would end it, so none was sent; if it was started with -Xrs, "+
				"start it with -XX:+StartAttachListener, too", t)
	}
	return fmt.Errorf("%v does not open its attach socket /tmp/.java_pid%d; if it is busy, try again; "+
		"if that file was removed, or the JVM was started with -XX:+DisableAttachMechanism, it must be restarted", t,
		t.Inside)
}

// disabled returns where the JVM's options disable the listener, or "".
func (t *target) disabled() (where string) {
	cmdline, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", t.PID))
	environment, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", t.PID))
	return disabledBy(strings.Split(string(cmdline), "\x00"), strings.Split(string(environment), "\x00"))
}

// disabledBy returns where an option disables attaching, or "". The last option counts, in the order in which HotSpot
// reads them.
func disabledBy(arguments, environment []string) (where string) {
	scan := func(place string, options []string) {
		for _, option := range options {
			switch option {
			case "-XX:+DisableAttachMechanism":
				where = place
			case "-XX:-DisableAttachMechanism":
				where = ""
			}
		}
	}
	variable := func(name string) {
		for _, entry := range environment {
			if value, ok := strings.CutPrefix(entry, name+"="); ok {
				scan(name, strings.Fields(value))
			}
		}
	}
	variable("JAVA_TOOL_OPTIONS")
	variable("JDK_JAVA_OPTIONS")
	scan("on its command line", arguments)
	variable("_JAVA_OPTIONS")
	return where
}
