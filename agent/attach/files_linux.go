package attach

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// openFolders opens the JVM's / and /tmp.
func (t *target) openFolders() (err error) {
	if t.root, err = os.OpenFile(fmt.Sprintf("/proc/%d/root", t.PID), unix.O_PATH|unix.O_DIRECTORY, 0); err == nil {
		t.tmp, err = t.inside("/tmp")
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrPermission):
		return foreign(t.PID, t.Name, t.UID)
	case !t.alive():
		return t.ended()
	}
	return fmt.Errorf("%v cannot be attached to: its /tmp cannot be opened: %w", t, bare(err))
}

// inside opens a path of the JVM's file system with O_PATH. Symbolic links are resolved as the JVM resolves them,
// inside its container.
func (t *target) inside(path string) (*os.File, error) {
	how := unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_IN_ROOT}
	file, err := unix.Openat2(int(t.root.Fd()), path, &how)
	switch err {
	case nil:
		return os.NewFile(uintptr(file), path), nil
	case unix.ENOSYS, unix.EPERM, unix.EAGAIN: // an old kernel, or a sandbox without the call
		return os.OpenFile(filepath.Join(fmt.Sprintf("/proc/%d/root", t.PID), path), unix.O_PATH, 0)
	}
	return nil, err
}

// inTmp returns a path to a file in the JVM's /tmp that is short enough for a socket.
func (t *target) inTmp(name string) string {
	return fmt.Sprintf("/proc/self/fd/%d/%s", t.tmp.Fd(), name)
}

// readTmp returns the content of a file in the JVM's /tmp, up to maxAnswer. It follows no symbolic link.
func (t *target) readTmp(name string) ([]byte, error) {
	file, err := os.OpenFile(t.inTmp(name), os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxAnswer+1))
	if err == nil && len(text) > maxAnswer {
		err = fmt.Errorf("it is longer than %d bytes", maxAnswer)
	}
	return text, err
}

// checkLibrary returns an error unless the library is a regular file in the JVM's file system.
func (t *target) checkLibrary(library string) error {
	if !filepath.IsAbs(library) {
		return fmt.Errorf("the agent's library %s must be an absolute path", library)
	}
	file, err := t.inside(library)
	if err == nil {
		defer file.Close()
		var info fs.FileInfo
		if info, err = file.Stat(); err == nil && !info.Mode().IsRegular() {
			err = errors.New("it is not a regular file")
		}
	}
	switch {
	case err == nil:
		return nil
	case t.Elsewhere:
		return fmt.Errorf("%v has its own file system, as in a container, and the agent's library %s cannot be opened "+
			"there: %w; "+
			"copy it there (docker cp, kubectl cp), or mount its folder, at the same path", t, library, bare(err))
	}
	return fmt.Errorf("the agent's library %s cannot be opened: %w", library, bare(err))
}

// loadedCopy returns the path of the agent that the JVM has loaded if it is a copy of the library; else the library's.
func (t *target) loadedCopy(library string) string {
	if t.Agent == "" || t.Agent == library {
		return library
	}
	own, err := t.hash(library)
	if err != nil {
		return library // loading it says why
	}
	if other, err := t.hash(t.Agent); err == nil && other == own {
		return t.Agent
	}
	return library
}

// maxLibrary is the limit in bytes of an agent's library; it has some 7 MB.
const maxLibrary = 1 << 26

// hash returns a hash of a regular file in the JVM's file system, which can be any file.
func (t *target) hash(name string) (sum [sha256.Size]byte, err error) {
	found, err := t.inside(name)
	if err != nil {
		return sum, err
	}
	defer found.Close()
	if info, err := found.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxLibrary {
		return sum, errors.Join(err, errors.ErrUnsupported)
	}
	file, err := os.Open(fmt.Sprintf("/proc/self/fd/%d", found.Fd())) // the file that was found, whatever its name means now
	if err != nil {
		return sum, err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, io.LimitReader(file, maxLibrary)); err != nil {
		return sum, err
	}
	return [sha256.Size]byte(hash.Sum(nil)), nil
}

// bare returns a system error without the path, which the message already has.
func bare(err error) error {
	if number, ok := errors.AsType[unix.Errno](err); ok {
		return number
	}
	return err
}
