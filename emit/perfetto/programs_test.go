package perfetto_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/emit/perfetto"
	"github.com/trcx/trcx/internal/testtool"
)

// TestSpeedscope lets speedscope's own importer read the JSON: without a complaint, and with all slices of all threads.
func TestSpeedscope(t *testing.T) {
	node, folder := testtool.Need(t, "node"), filepath.Dir(filepath.Dir(testtool.Need(t, "speedscope")))
	want := map[string]*drawing{}
	files := []string{"testdata/speedscope.mjs", folder}
	for name, document := range documents(t) {
		text := draw(t, perfetto.JSON, pathOf(document), document)
		d := fromJSON(t, text)
		if len(d.slices) == 0 {
			continue
		}
		file := filepath.Join(t.TempDir(), strings.Map(plain, name)+".trace.json")
		check(t, os.WriteFile(file, text, 0o600))
		want[file], files = d, append(files, file)
	}
	out, err := exec.Command(node, files...).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, errorOf(err))
	}
	imported := 0
	for line := range bytes.Lines(out) {
		var group struct {
			File     string
			Warnings []string
			Profiles []struct {
				Name   string
				Slices int
				Weight float64
			}
		}
		check(t, json.Unmarshal(line, &group))
		if len(group.Warnings) > 0 {
			t.Errorf("%s: speedscope complains: %s", group.File, strings.Join(group.Warnings, "\n"))
		}
		d := want[group.File]
		count, from, to := map[string]int{}, map[string]int64{}, map[string]int64{}
		for _, s := range d.slices {
			name := fmt.Sprintf("%s (pid %d), %s", d.sessions[d.of[s.track]], d.of[s.track]+1, d.threads[s.track])
			name = fmt.Sprintf("%s (tid %d)", name, d.tid(s.track))
			if _, ok := from[name]; !ok {
				from[name] = s.at
			}
			if s.length > 0 { // it counts no others
				count[name]++
			}
			to[name] = max(to[name], s.end())
		}
		for _, p := range group.Profiles {
			if length := float64(to[p.Name]-from[p.Name]) / 1000; p.Slices != count[p.Name] ||
				math.Abs(p.Weight-length) > 0.002+length*1e-9 {
				t.Errorf("%s: speedscope has %d slices and %f microseconds of %q, want %d and %f", group.File, p.Slices,
					p.Weight, p.Name, count[p.Name], length)
			}
			delete(from, p.Name)
		}
		if len(from) > 0 {
			t.Errorf("%s: speedscope does not show %v", group.File, from)
		}
		imported++
	}
	if imported != len(want) || imported < testtool.Times(150) {
		t.Errorf("speedscope has imported %d of %d files", imported, len(want))
	}
}

// tid is the number of a track in JSON.
func (d *drawing) tid(track int) int {
	if track == 0 {
		return d.path
	}
	return track
}

// plain keeps the characters that a file's name may have.
func plain(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
		return r
	}
	return '-'
}

func errorOf(err error) []byte {
	if exit, ok := err.(*exec.ExitError); ok {
		return exit.Stderr
	}
	return nil
}

// TestProtoc lets protoc decode the protobuf, with the fields in testdata and, if PERFETTO_TRACE_PROTO names it, with
// Perfetto's whole definition. It must know each field that is written, and what it prints must encode to what was
// written.
func TestProtoc(t *testing.T) {
	testtool.Need(t, "protoc")
	definitions := []string{"testdata/perfetto.proto"}
	if whole := os.Getenv("PERFETTO_TRACE_PROTO"); whole != "" {
		definitions = append(definitions, whole)
	} else {
		t.Log("SKIPPED in part: set PERFETTO_TRACE_PROTO to Perfetto's perfetto_trace.proto to have it decode as well")
	}
	for name, document := range documents(t) {
		if strings.HasPrefix(name, "simulated 1") || strings.HasPrefix(name, "chaotic") && name != "chaotic 7" {
			continue
		}
		written := draw(t, perfetto.Protobuf, pathOf(document), document)
		for _, definition := range definitions {
			text := protoc(t, "decode", definition, written)
			if unknown := unknownFields(text); len(unknown) > 0 {
				t.Errorf("%s: %s does not know %s", name, definition, unknown[0])
			}
			if again := protoc(t, "encode", definition, text); len(again) != len(written) {
				t.Errorf("%s: %d bytes are %d when %s has decoded and encoded them", name, len(written), len(again),
					definition)
			}
		}
	}
}

// protoc decodes or encodes a Trace.
func protoc(t *testing.T, what, definition string, in []byte) []byte {
	t.Helper()
	command := exec.Command("protoc", "--"+what, "perfetto.protos.Trace", "-I", filepath.Dir(definition),
		filepath.Base(definition))
	command.Stdin = bytes.NewReader(in)
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, errorOf(err))
	}
	return out
}

// unknownFields are the lines that begin with a number instead of a name.
func unknownFields(text []byte) []string {
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool {
		line = strings.TrimSpace(line)
		return line == "" || line[0] < '0' || line[0] > '9'
	})
}
