package testtool

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// cache returns the folder of the user's cache in which compiled classes, the agent's library and packages of npm are
// kept. make clean removes it.
func cache() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir() // a user without a home
	}
	return filepath.Join(cache, "trcx-test")
}

// Modules returns the folder in which make deps installs packages of npm.
func Modules() string { return filepath.Join(cache(), "npm") }

// root is the folder of the sources: the folder at or above the tested package that has trace/table.go.
var root = findRoot()

func findRoot() string {
	folder, _ := os.Getwd() // tests run in the folder of their package
	for !exists(filepath.Join(folder, "trace", "table.go")) && folder != filepath.Dir(folder) {
		folder = filepath.Dir(folder)
	}
	return folder
}

// Agent returns the agent's library: the one that TRCX_AGENT names, or one built from the sources. The test is skipped
// if it cannot be built; see Need.
func Agent(t testing.TB) string {
	t.Helper()
	Need(t, "gcc")
	Need(t, "JDK")
	library, err := agent()
	if err != nil {
		t.Fatal(err)
	}
	return library
}

var agent = sync.OnceValues(func() (string, error) {
	if library := os.Getenv("TRCX_AGENT"); library != "" {
		return filepath.Abs(library)
	}
	return built("libtrcxagent.so", func(file string) error {
		return run(filepath.Join(root, "agent", "native", "build.sh"), file)
	})
})

// Trcx returns the command line, built of the sources.
func Trcx(t testing.TB) string { return program(t, trcx) }

// Fleet returns trcx-fleet, built of the sources, in the folder of Trcx.
func Fleet(t testing.TB) string { return program(t, fleet) }

func program(t testing.TB, build func() (string, error)) string {
	t.Helper()
	Long(t)
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

var trcx = sync.OnceValues(func() (string, error) {
	return built("trcx", func(file string) error {
		return run("go", "build", "-C", root, "-buildvcs=false", "-o", file, "./cmd/trcx")
	})
})

var fleet = sync.OnceValues(func() (string, error) {
	return built("trcx-fleet", func(file string) error {
		return run("go", "build", "-C", filepath.Join(root, "fleet"), "-buildvcs=false", "-o", file, "./cmd/trcx-fleet")
	})
})

// built returns a file that Go builds. Each copy of the sources has a folder of its own; Go links nothing anew if the
// file is up to date.
func built(name string, build func(file string) error) (string, error) {
	folder := filepath.Join(cache(), fmt.Sprintf("built-%x", sha256.Sum256([]byte(root)))[:len("built-")+16])
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	file := filepath.Join(folder, name)
	unlock, err := lockedfile.MutexAt(file + ".lock").Lock()
	if err != nil {
		return "", err
	}
	defer unlock()
	return file, build(file)
}

// Javac compiles Java sources, unless the same ones were compiled before, and returns the folder of classes. The folder
// is shared and must not be changed. Flags are javac's flags without -d.
func Javac(t testing.TB, j JDK, flags []string, sources ...string) string {
	t.Helper()
	folder, err := javac(j, flags, sources)
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

func javac(j JDK, flags, sources []string) (string, error) {
	key := sha256.New()
	fmt.Fprintf(key, "javac %d %s %q\n", j.Version, j.Home, flags)
	for _, name := range sources {
		if err := hashFile(key, name); err != nil {
			return "", err
		}
	}
	return cached(fmt.Sprintf("classes-%x", key.Sum(nil)), func(folder string) error {
		all := append([]string{"-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-d", folder}, flags...) // half the CPU time
		return run(j.Tool("javac"), append(all, sources...)...)
	})
}

func hashFile(key hash.Hash, name string) error {
	text, err := os.ReadFile(name)
	fmt.Fprintf(key, "%s %d\n%s", filepath.Base(name), len(text), text)
	return err
}

// run runs a program; its error has what the program printed.
func run(name string, arguments ...string) error {
	if out, err := exec.Command(name, arguments...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %q: %w\n%s", name, arguments, err, bytes.TrimSpace(out))
	}
	return nil
}

// cached returns the folder of a key. If it does not exist yet, build fills it. If several processes do that at a time,
// the first one wins.
func cached(key string, build func(folder string) error) (string, error) {
	folder := filepath.Join(cache(), key)
	if exists(folder) {
		return folder, nil
	}
	if err := os.MkdirAll(cache(), 0o755); err != nil {
		return "", err
	}
	temporary, err := os.MkdirTemp(cache(), "building-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temporary) // does nothing once it is renamed
	if err := build(temporary); err != nil {
		return "", err
	}
	if err := os.Chmod(temporary, 0o755); err != nil { // for tests that run as another user
		return "", err
	}
	if err := os.Rename(temporary, folder); err != nil && !errors.Is(err, fs.ErrExist) && !exists(folder) {
		return "", err
	}
	return folder, nil
}
