package options

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// maxFile is how many bytes a file that options name may have.
const maxFile = 1 << 20

// Path is where the file of the name is: of a relative one, in the Folder. It is not cleaned, for the .. of a symbolic
// link is not the folder that the link stands in.
func (o *Options) Path(name string) string {
	if o.Folder == "" || name == "" || filepath.IsAbs(name) {
		return name
	}
	return o.Folder + string(filepath.Separator) + name
}

// SocketPath is the Path of the Address of a Unix Output. Where no socket could have so long a one it is the Address as
// it was given.
func (o *Options) SocketPath() string {
	if path := o.Path(o.Output.Address); len(path) <= longestSocketPath {
		return path
	}
	return o.Output.Address
}

// ReadFiles reads what the options name: filters, TPTP's options, the token. With a Ring that is the affair of the
// consumer, too. The error names file and line.
func (o *Options) ReadFiles() error {
	if o.Ring != 0 {
		return nil
	}
	if o.Output.TokenFile != "" {
		text, err := o.readFile("token", o.Output.TokenFile)
		if err != nil {
			return err
		}
		if o.Output.Token, err = firstLine(text); err != nil {
			return fmt.Errorf("the token file %s: %w", o.Output.TokenFile, err)
		}
	}
	if o.ProfileFile != "" {
		text, err := o.readFile("options", o.ProfileFile)
		if err != nil {
			return err
		}
		if o.Profile, err = parseProfile(o.ProfileFile, text); err != nil {
			return err
		}
	}
	if o.FilterFile != "" {
		text, err := o.readFile("filters", o.FilterFile)
		if err != nil {
			return err
		}
		if o.Filters, err = ParseFilters(o.FilterFile, text); err != nil {
			return err
		}
	}
	return nil
}

// readFile reads a file, which must be one: a pipe could keep the JVM waiting for ever.
func (o *Options) readFile(what, name string) ([]byte, error) {
	text, err := readRegular(o.Path(name))
	if err == nil {
		return text, nil
	}
	if bare := (*os.PathError)(nil); errors.As(err, &bare) {
		err = bare.Err
	}
	if folder := o.folder(); folder != "" && !filepath.IsAbs(name) {
		return nil, fmt.Errorf("the %s file %s cannot be read in %s: %w", what, name, folder, err)
	}
	return nil, fmt.Errorf("the %s file %s cannot be read: %w", what, name, err)
}

// folder is where relative names are looked up, for messages; empty if that is not known.
func (o *Options) folder() string {
	if o.Folder != "" {
		return o.Folder
	}
	folder, _ := os.Getwd()
	return folder
}

func readRegular(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("it has more than %d bytes", maxFile)
	}
	return text, err
}

// lines goes through the lines of a text, without the blanks around them, and counts them from 1.
func lines(text []byte) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		n := 0
		for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\uFEFF"))) {
			if n++; !yield(n, strings.TrimSpace(string(line))) {
				return
			}
		}
	}
}

// firstLine is the token in the text of its file.
func firstLine(text []byte) (string, error) {
	token := ""
	for n, line := range lines(text) {
		if n == 1 {
			token = line
		} else if line != "" {
			return "", errors.New("it must have one line, the token")
		}
	}
	if token == "" {
		return "", errors.New("its first line must be the token")
	}
	var o Options
	return token, setToken(&o, token)
}
