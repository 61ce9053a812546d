//go:build !linux

package main

// systemLimits returns no limits: those of other systems are not read.
func systemLimits() []memoryLimit { return nil }
