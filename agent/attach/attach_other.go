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

// inspect returns errUnsupported.
func inspect(int) (JVM, error) { return JVM{}, errUnsupported }
