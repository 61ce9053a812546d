//go:build !linux

package attach

import (
	"context"
	"errors"
)

// ErrUnsupported says that the agent can be loaded on Linux only.
var ErrUnsupported = errors.New("attaching to a JVM needs Linux")

// Load does not work here.
func Load(_ context.Context, _ int, _, _ string) error { return ErrUnsupported }

// Inspect does not work here.
func Inspect(int) (JVM, error) { return JVM{}, ErrUnsupported }
