package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs" // gs://
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"  // s3://
	"github.com/bmatcuk/doublestar/v4"
)

// IsLocal reports whether the name is a file of this machine.
func IsLocal(name string) bool { return !strings.Contains(name, "://") }

// cloud returns the file system of a name that is not local.
func cloud(ctx context.Context, name string) (files filesystem.Interface, err error) {
	scheme, _, _ := strings.Cut(name, "://")
	if scheme != "gs" && scheme != "s3" {
		return nil, fmt.Errorf("%s: unknown scheme %s://: want gs://, s3:// or a file of this machine", name, scheme)
	}
	defer func() {
		if reason := recover(); reason != nil { // the file systems panic without credentials
			err = fmt.Errorf("%s: %v", name, reason)
		}
	}()
	return filesystem.New(ctx, name)
}

// ErrNoMatch is the error for a pattern that no file matches.
var ErrNoMatch = errors.New("no file matches")

// List returns the files that a pattern matches, in ascending order. In patterns * and ? match what has no slash, [a-z]
// a character, {a,b} either, and a ** that is a whole part of the path any folders. Folders do not match, nor do hidden
// files unless the pattern begins with their dot. A name that exists is no pattern.
func List(ctx context.Context, pattern string) (names []string, err error) {
	if IsLocal(pattern) {
		names, err = listLocal(pattern)
	} else {
		names, err = listCloud(ctx, pattern)
	}
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("%s: %w", pattern, ErrNoMatch)
	}
	slices.Sort(names)
	return names, err
}

func listCloud(ctx context.Context, pattern string) ([]string, error) {
	if strings.HasPrefix(pattern, "s3://") && strings.Contains(pattern, "**") {
		return nil, fmt.Errorf("%s: s3:// patterns cannot have **; name the folders, such as */*", pattern)
	}
	files, err := cloud(ctx, pattern)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	names, err := files.List(ctx, pattern)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be listed: %w", pattern, err)
	}
	return slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, "/") }), nil
}

func listLocal(pattern string) (names []string, err error) {
	if info, err := os.Stat(pattern); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder; name the files in it: %s", pattern, filepath.Join(pattern, "*"))
	} else if err == nil {
		return []string{pattern}, nil
	}
	names, err = doublestar.FilepathGlob(pattern, doublestar.WithFilesOnly(), doublestar.WithNoFollow(),
		doublestar.WithNoHidden(), doublestar.WithFailOnIOErrors())
	if err != nil {
		return nil, fmt.Errorf("%s cannot be listed: %w", pattern, err)
	}
	return slices.DeleteFunc(names, func(name string) bool { // links to folders
		info, err := os.Stat(name)
		return err == nil && info.IsDir()
	}), nil
}

// Open opens a file for reading.
func Open(ctx context.Context, name string) (io.ReadCloser, error) {
	if IsLocal(name) {
		return os.Open(name)
	}
	files, err := cloud(ctx, name)
	if err != nil {
		return nil, err
	}
	in, err := files.OpenRead(ctx, name)
	if err != nil {
		return nil, errors.Join(err, files.Close())
	}
	return &object{in, files}, nil
}

// object is an object of a cloud that is being read.
type object struct {
	io.ReadCloser
	files io.Closer
}

func (o *object) Close() error { return errors.Join(o.ReadCloser.Close(), o.files.Close()) }

// Size returns the size of a file in bytes.
func Size(ctx context.Context, name string) (int64, error) {
	if IsLocal(name) {
		info, err := os.Stat(name)
		if err != nil {
			return 0, err
		}
		return info.Size(), nil
	}
	files, err := cloud(ctx, name)
	if err != nil {
		return 0, err
	}
	defer files.Close()
	return files.Size(ctx, name)
}

// Write writes a file, whole or not at all: on this machine under another name first.
func Write(ctx context.Context, name string, write func(io.Writer) error) (err error) {
	if IsLocal(name) {
		return writeLocal(name, write)
	}
	files, err := cloud(ctx, name)
	if err != nil {
		return err
	}
	defer files.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // an object that is not complete is not written
	out, err := files.OpenWrite(ctx, name)
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", name, err)
	}
	if err := write(out); err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return fmt.Errorf("%s cannot be written: %w", name, err)
	}
	return nil
}

func writeLocal(name string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*.tmp")
	if err != nil {
		return err
	}
	err = write(file)
	if err == nil {
		err = file.Chmod(0o644)
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

// Keep removes the files that the pattern matches, but for those of the names: what an earlier run has left.
func Keep(ctx context.Context, pattern string, names []string) error {
	all, err := List(ctx, pattern)
	if errors.Is(err, ErrNoMatch) {
		return nil
	}
	for _, name := range all {
		if err == nil && !slices.Contains(names, name) {
			err = remove(ctx, name)
		}
	}
	return err
}

func remove(ctx context.Context, name string) error {
	if IsLocal(name) {
		return os.Remove(name)
	}
	files, err := cloud(ctx, name)
	if err != nil {
		return err
	}
	defer files.Close()
	if remover, ok := files.(filesystem.Remover); ok {
		return remover.Remove(ctx, name)
	}
	return nil
}

// Join returns the name of a file in a folder.
func Join(folder, name string) string {
	if IsLocal(folder) {
		return filepath.Join(folder, name)
	}
	return strings.TrimSuffix(folder, "/") + "/" + name
}

// In reports whether the file is directly in the folder, as far as these are no links.
func In(folder, name string) bool {
	if !IsLocal(folder) || !IsLocal(name) {
		return strings.TrimSuffix(folder, "/") == name[:max(strings.LastIndexByte(name, '/'), 0)]
	}
	folder, folderErr := filepath.Abs(folder)
	name, nameErr := filepath.Abs(name)
	return errors.Join(folderErr, nameErr) == nil && filepath.Dir(name) == folder
}
