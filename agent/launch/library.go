package launch

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/trcx/trcx/agent/attach"
)

// embedded is the library, in programs built with it; see embed.go.
var embedded []byte

// Library returns the absolute path of the agent's library: the file asked for, or the one in this program's folder, or
// the one embedded in it, which is copied to the user's cache.
func Library(asked string) (string, error) {
	if asked != "" {
		if _, err := os.Stat(asked); err != nil {
			return "", fmt.Errorf("the agent's library %s does not exist", asked)
		}
		return filepath.Abs(asked)
	}
	program, err := os.Executable()
	if err == nil {
		if real, err := filepath.EvalSymlinks(program); err == nil {
			program = real
		}
		neighbor := filepath.Join(filepath.Dir(program), attach.LibraryName)
		if _, err := os.Stat(neighbor); err == nil {
			return neighbor, nil
		}
	}
	if len(embedded) > 0 {
		return unpack(embedded)
	}
	return "", fmt.Errorf("the agent's library %s is neither in the folder of trcx (%s) nor embedded in it; "+
		"build both with make, or name the library",
		attach.LibraryName, filepath.Dir(program))
}

// unpack writes the library to the user's cache, unless it is there already, under a name that has a hash of its
// content.
func unpack(library []byte) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("there is no folder for the agent's library: %w", err)
	}
	sum := sha256.Sum256(library)
	folder := filepath.Join(cache, "trcx")
	path := filepath.Join(folder, hex.EncodeToString(sum[:8])+"-"+attach.LibraryName)
	if content, err := os.ReadFile(path); err == nil && sha256.Sum256(content) == sum {
		return path, nil
	}
	if err := errors.Join(os.MkdirAll(folder, 0o700), writeWhole(path, library)); err != nil {
		return "", fmt.Errorf("the agent's library cannot be written to the cache: %w", err)
	}
	return path, nil
}

// writeWhole writes a file by renaming a temporary one, so that it is never seen incomplete.
func writeWhole(path string, content []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), attach.LibraryName+".*")
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	err = errors.Join(err, file.Chmod(0o700), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		os.Remove(file.Name())
	}
	return err
}
