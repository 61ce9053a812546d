package main

import "testing"

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{"17": 17, "5B": 5, "3KiB": 3072, "256MiB": 256 << 20, "1GiB": 1 << 30} {
		if got, err := parseSize(text); err != nil || got != want {
			t.Errorf("%s: %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "MiB", "-1", "0", "4MB", "1.5GiB"} {
		if _, err := parseSize(text); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}
