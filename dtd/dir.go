package dtd

import (
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// Dir returns an Opener of the regular files in a folder and its subfolders. It opens nothing else: no network and no
// other file, whatever the links in the folder. A system identifier is relative to the file that names it, or to the
// folder if that file is not in it. The folder stays open as long as the program runs. The error is one of opening it.
func Dir(path string) (Opener, error) {
	at, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return func(systemID, base string) (io.ReadCloser, string, error) {
		path, err := within(at, systemID, base)
		if err != nil {
			return nil, "", err
		}
		info, err := root.Stat(path) // before opening: opening a pipe would wait for a writer
		if err != nil {
			return nil, "", plainError(err)
		}
		if !info.Mode().IsRegular() {
			return nil, "", errors.New("not a regular file")
		}
		file, err := root.Open(path)
		if err != nil {
			return nil, "", plainError(err)
		}
		return file, filepath.Join(at, path), nil
	}, nil
}

// within returns the path, relative to the folder, that a system identifier means.
func within(folder, systemID, base string) (string, error) {
	id, err := url.Parse(systemID)
	switch {
	case err != nil:
		return "", errors.New("its system identifier is no URI")
	case id.Scheme != "" && id.Scheme != "file" || id.Host != "":
		return "", errors.New("its system identifier is no path; nothing is fetched from a network")
	case id.Fragment != "" || id.RawQuery != "" || id.ForceQuery:
		return "", errors.New("its system identifier has a query or a fragment, which no file has")
	}
	path := filepath.FromSlash(id.Path)
	if !filepath.IsAbs(path) {
		from := folder
		if absolute, err := filepath.Abs(base); err == nil && base != "" && isBelow(folder, filepath.Dir(absolute)) {
			from = filepath.Dir(absolute)
		}
		path = filepath.Join(from, path)
	}
	if !isBelow(folder, path) {
		return "", errors.New("it lies outside of the folder that may be read")
	}
	return filepath.Rel(folder, path)
}

func isBelow(folder, path string) bool {
	relative, err := filepath.Rel(folder, path)
	return err == nil && relative != ".." && !strings.HasPrefix(relative, ".."+string(filepath.Separator))
}

func plainError(err error) error {
	var at *os.PathError
	switch {
	case !errors.As(err, &at):
		return err
	case strings.Contains(at.Err.Error(), "escapes"): // what os.Root says, which has no name
		return errors.New("a link leads out of the folder that may be read")
	}
	return at.Err
}
