package listen

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/trcx/trcx/agent/output"
)

// DefaultPattern is the default pattern of file names.
const DefaultPattern = "trcx-%h-%p-%t.trcxml"

// Placeholders lists the placeholders of a pattern, for messages.
const Placeholders = "%h (host), %p (process), %t (time, UTC), %n (running number) and %% (%)"

// naming makes file names.
type naming struct {
	folder, pattern string
}

// maxHost is the limit of a host's name in a file name, in bytes.
const maxHost = 64

// newNaming accepts a folder, a pattern that may have a folder before it, or "".
func newNaming(pattern string) (*naming, error) {
	n := &naming{folder: filepath.Dir(pattern), pattern: filepath.Base(pattern)}
	info, err := os.Stat(pattern)
	switch {
	case pattern == "":
		n.folder, n.pattern = ".", DefaultPattern
	case err == nil && info.IsDir(), os.IsPathSeparator(pattern[len(pattern)-1]):
		n.folder, n.pattern = pattern, DefaultPattern
	}
	if strings.Contains(strings.ReplaceAll(n.folder, "%%", ""), "%") {
		return nil, errors.New("a placeholder can only be in the file's name, not in its folder's")
	}
	n.folder = strings.ReplaceAll(n.folder, "%%", "%")
	if _, err := n.name(&output.Greeting{}, 0, time.Time{}); err != nil {
		return nil, err
	}
	return n, nil
}

// CheckPattern returns an error if a pattern of file names is invalid.
func CheckPattern(pattern string) error {
	_, err := newNaming(pattern)
	return err
}

// name returns the file name for a recorder's trace, without the folder.
func (n *naming) name(g *output.Greeting, number int64, at time.Time) (string, error) {
	values := map[byte]string{
		'h': g.Host[:min(len(g.Host), maxHost)], 'p': strconv.Itoa(g.PID), 't': at.UTC().Format("20060102-150405"),
		'n': strconv.FormatInt(number, 10), '%': "%",
	}
	var name strings.Builder
	for rest := n.pattern; rest != ""; {
		before, after, found := strings.Cut(rest, "%")
		name.WriteString(before)
		if !found {
			break
		}
		value, known := "", false
		if after != "" {
			value, known = values[after[0]]
		}
		if !known {
			return "", fmt.Errorf("%%%.1s is not a placeholder; the name can have %s", after, Placeholders)
		}
		name.WriteString(value)
		rest = after[1:]
	}
	return name.String(), nil
}

// maxSame is the limit of files with the same name, except for a number.
const maxSame = 10_000

// open creates a file. If the name exists already, -2, -3 and so on is added.
func (n *naming) open(g *output.Greeting, number int64, at time.Time, maxSize int64) (file output.Writer, path string,
	err error) {
	name, err := n.name(g, number, at)
	if err != nil {
		return nil, "", err
	}
	for i := range maxSame {
		path = filepath.Join(n.folder, numbered(name, i+1))
		file, err = output.Open(output.Description{File: path, New: true, MaxSize: maxSize})
		if !errors.Is(err, os.ErrExist) {
			break
		}
	}
	return file, path, err
}

// numbered inserts a number before the endings of a name, except for the number 1.
func numbered(name string, number int) string {
	if number == 1 {
		return name
	}
	packed := ""
	if ending := filepath.Ext(name); output.Compressed(ending) {
		packed = ending
	}
	whole := strings.TrimSuffix(name, packed)
	ending := filepath.Ext(whole)
	return fmt.Sprintf("%s-%d%s%s", strings.TrimSuffix(whole, ending), number, ending, packed)
}
