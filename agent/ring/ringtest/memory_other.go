//go:build !linux

package ringtest

func reserve(size int) ([]byte, error) { return make([]byte, size), nil }

func release([]byte) {}
