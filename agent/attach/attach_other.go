//go:build !linux

package attach

import (
	"context"
	"errors"
)

// ErrUnsupported is the error on systems other than Linux.
var ErrUnsupported = errors.New("attaching to a JVM needs Linux")

// Load returns ErrUnsupported.
func Load(_ context.Context, _ int, _, _ string) error { return ErrUnsupported }

// Inspect returns ErrUnsupported.
func Inspect(int) (JVM, error) { return JVM{}, ErrUnsupported }
