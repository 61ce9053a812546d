package main

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"
)

// TestBill proves that the bill of a program, this test itself, names Go's library, and is JSON.
func TestBill(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run([]string{program}, &out); err != nil {
		t.Fatal(err)
	}
	var read document
	if err := json.Unmarshal(out.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	if read.Format != "CycloneDX" || len(read.Components) == 0 || read.Components[0].Name != "std" {
		t.Errorf("the bill is\n%s", out.Bytes())
	}
	if err := run(nil, &out); err == nil {
		t.Error("no program, and no error")
	}
	if err := run([]string{"main.go"}, &out); err == nil {
		t.Error("a source file is no program, and there is no error")
	}
}
