//go:build !linux

package attach

import (
	"context"
	"errors"
)

// errUnsupported is the error on systems other than Linux.
var errUnsupported = errors.New("attaching to a JVM needs Linux")

// Load returns errUnsupported.
func Load(_ context.Context, _ int, _, _ string) error { return errUnsupported }

// ThreadDump returns errUnsupported.
func ThreadDump(context.Context, int) (string, error) { return "", errUnsupported }

// ThreadDumpAsJSON returns errUnsupported.
func ThreadDumpAsJSON(context.Context, int) (string, error) { return "", errUnsupported }

// HeapDump returns errUnsupported.
func HeapDump(context.Context, int, string, bool) error { return errUnsupported }

// SetFlag returns errUnsupported.
func SetFlag(context.Context, int, string, string) error { return errUnsupported }

// Inspect returns errUnsupported.
func Inspect(int) (JVM, error) { return JVM{}, errUnsupported }

// JVMs returns an error.
func JVMs() ([]int, error) { return nil, errUnsupported }

// Marked returns an error.
func Marked(string) ([]Usage, error) { return nil, errUnsupported }
