package main

import (
	"io"
	"os"
	"testing"
)

func BenchmarkJSONL(b *testing.B) {
	for b.Loop() {
		Main([]string{"trcx", "convert", "--quiet", "--to", os.Getenv("TO"), "-o", "/dev/null", os.Getenv("TRACE")}, os.Stdin, io.Discard, os.Stderr)
	}
}
