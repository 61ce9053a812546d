//go:build !linux

package main

// systemLimits returns no limits: trcx does not read the limits of other systems.
func systemLimits() []memoryLimit { return nil }
