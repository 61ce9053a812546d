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
	"time"
)

// maxFile is the limit of the size of a file that options name, in bytes.
const maxFile = 1 << 20

// Path returns the path of a file: a relative name is looked up in Folder. It is not cleaned, because the .. of a
// symbolic link is not the link's folder.
func (o *Options) Path(name string) string {
	if o.Folder == "" || name == "" || filepath.IsAbs(name) {
		return name
	}
	return o.Folder + string(filepath.Separator) + name
}

// SocketPath returns the Path of a Unix Output's Address. If that is too long for a socket, it is the Address as given.
func (o *Options) SocketPath() string {
	if path := o.Path(o.Output.Address); len(path) <= maxSocketPath {
		return path
	}
	return o.Output.Address
}

// ReadFiles reads the files that the options name: filters, TPTP's options, the token. With a Ring the
// consumer reads them, and the agent reads only those that decide which methods are instrumented. The error names file
// and line.
func (o *Options) ReadFiles() error {
	if o.Ring != 0 && o.Exec == NoExec {
		return nil
	}
	if o.Output.TokenFile != "" && o.Ring == 0 {
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
		if o.Filters, err = parseFilters(o.FilterFile, text); err != nil {
			return err
		}
	}
	return nil
}

// readFile reads a regular file: a pipe could block the JVM.
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

// folder returns the folder in which relative names are looked up, for messages; "" if it is unknown.
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

// lines iterates over the lines of a text, without white space around them, numbered from 1.
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

// firstLine returns the token in the text of its file.
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

// Output is the destination of a trace.
type Output struct {
	Kind OutputKind
	// Address is the pattern of a file name (see FileName), HOST:PORT, or the path of a socket. It is "" for Stdout.
	Address string
	// Token is the receiver's token, "" for none. ReadFiles sets it to the content of TokenFile.
	Token, TokenFile string
}

// OutputKind is the kind of an Output.
type OutputKind uint8

// The kinds of outputs.
const (
	File OutputKind = iota
	Stdout
	TCP
	Unix
)

func (o Output) hasToken() bool { return o.Token != "" || o.TokenFile != "" }

// option returns the output as an option of the short form.
func (o Output) option() (name, value string) {
	switch o.Kind {
	case Stdout:
		return "file", stdout
	case TCP:
		return "tcp", o.Address
	case Unix:
		return "unix", o.Address
	}
	return "file", o.Address
}

// FileName returns the Address of a File with %p, %t, %h and %% replaced: by the process id, the time in UTC as
// yyyymmdd-hhmmss, the host's name, and a percent sign.
func (o Output) FileName(pid int, now time.Time, host string) string {
	return strings.NewReplacer(
		"%p", fmt.Sprint(pid),
		"%t", now.UTC().Format("20060102-150405"),
		"%h", strings.ReplaceAll(host, "/", "_"),
		"%%", "%",
	).Replace(o.Address)
}

// Glob returns a pattern for filepath.Glob that matches every FileName of the Address.
func (o Output) Glob() string {
	return strings.NewReplacer("%p", "*", "%t", "*", "%h", "*", "%%", "%",
		"*", `\*`, "?", `\?`, "[", `\[`, `\`, `\\`).Replace(o.Address)
}

// unknownPlaceholder finds a % that FileName would not replace.
func unknownPlaceholder(name string) (placeholder string, found bool) {
	for {
		at := strings.IndexByte(name, '%')
		if at < 0 {
			return "", false
		}
		if at+1 == len(name) || !strings.Contains("pth%", name[at+1:at+2]) {
			return name[at:min(at+2, len(name))], true
		}
		name = name[at+2:]
	}
}
