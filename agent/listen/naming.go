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

// DefaultPattern names the files where nothing else is asked for.
const DefaultPattern = "trcx-%h-%p-%t.trcxml"

// Placeholders explains what may stand in a pattern.
const Placeholders = "%h (host), %p (process), %t (time, UTC), %n (running number) and %% (%)"

// naming gives names to files.
type naming struct {
	folder, pattern string
}

// maxHost is how much of a host's name is in a file's name.
const maxHost = 64

// newNaming takes a folder, or a pattern that may have a folder before it, or "".
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
		return nil, errors.New("a placeholder can only stand in the name of the file, not in that of its folder")
	}
	n.folder = strings.ReplaceAll(n.folder, "%%", "%")
	if _, err := n.name(&output.Greeting{}, 0, time.Time{}); err != nil {
		return nil, err
	}
	return n, nil
}

// CheckPattern says what is wrong with a pattern for names.
func CheckPattern(pattern string) error {
	_, err := newNaming(pattern)
	return err
}

// name is the name for the trace of a recorder, without the folder.
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
			return "", fmt.Errorf("%%%.1s stands for nothing; in the name there can be %s", after, Placeholders)
		}
		name.WriteString(value)
		rest = after[1:]
	}
	return name.String(), nil
}

// maxSame is how many files may have the same name but for a number.
const maxSame = 10_000

// open opens a file that does not exist yet: where the name is taken, it gets -2, -3 and so on.
func (n *naming) open(g *output.Greeting, number int64, at time.Time, maxSize int64) (file output.Outlet, path string,
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

// numbered puts a number before the endings of a name, but for the number 1.
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
