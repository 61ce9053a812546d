// Package tempfile creates temporary files: files that are renamed to their targets when complete, and files for data
// that does not stay in memory.
//
// Outputs and saved indexes are written to the first kind, so a target is never half written. A killed process leaves
// its hidden file next to the target; the next process that writes to the same target removes it.
//
//	tempfile.go                 files next to their targets
//	scratch.go                  files without targets
//	lock_unix.go, lock_other.go whether a process has such a file open
package tempfile

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	// maxBase limits the part of the target's name in the name of the temporary file, in bytes.
	maxBase = 100
	ending  = ".tmp"
	// leastAge is the time without a write after which a file may be removed: a new file may not be locked yet, and a
	// complete one no longer is.
	leastAge = time.Minute
)

// Create creates a file in the folder of the target, to be renamed to it. It stays locked while it is open. Files of
// the same target whose processes have ended are removed, where the system can lock files. The user's umask applies to
// mode, as for any new file.
func Create(target string, mode os.FileMode) (*os.File, error) {
	folder := filepath.Dir(target)
	removeStale(folder, prefixOf(target))
	file, err := os.OpenFile(filepath.Join(folder, Name(target)), os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	if err == nil {
		lock(file)
	}
	return file, err
}

// Name returns a new name, without the folder, for a temporary file of the target.
func Name(target string) string { return prefixOf(target) + rand.Text() + ending }

func prefixOf(target string) string {
	base := filepath.Base(target)
	return "." + base[:min(len(base), maxBase)] + "."
}

// removeStale removes the files in the folder that begin with the prefix, and that no process has open.
func removeStale(folder, prefix string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return // creating the file fails with the same error
	}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, prefix) || !strings.HasSuffix(name, ending) || !entry.Type().IsRegular() ||
			strings.Contains(name[len(prefix):len(name)-len(ending)], ".") {
			continue
		}
		if info, err := entry.Info(); err != nil || time.Since(info.ModTime()) < leastAge {
			continue
		}
		if file, err := os.Open(filepath.Join(folder, name)); err == nil {
			if lock(file) {
				_ = os.Remove(file.Name()) // another process may have done so
			}
			file.Close()
		}
	}
}
