package tempfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Scratch is a file for what does not stay in memory; Close removes it.
type Scratch struct {
	*os.File
	named bool // the file has its name still
}

// NewScratch creates a file in the folder; "" is the system's one for temporary files. Its name has a random text for
// the * in the pattern. Where an open file can do without a name, it is gone when the process ends, however it ends.
func NewScratch(folder, pattern string) (*Scratch, error) {
	file, err := os.CreateTemp(folder, pattern)
	if err == nil {
		return &Scratch{file, os.Remove(file.Name()) != nil}, nil
	}
	var at *os.PathError
	if errors.As(err, &at) {
		err = fmt.Errorf("no temporary file can be made in %s: %w; the variable TMPDIR can name another folder",
			filepath.Dir(at.Path), at.Err)
	}
	return nil, err
}

// Close closes the file and removes it.
func (s *Scratch) Close() error {
	err := s.File.Close()
	if s.named {
		err = errors.Join(err, os.Remove(s.Name()))
	}
	return err
}
