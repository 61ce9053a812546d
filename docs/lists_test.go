package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/agent/options"
	"github.com/trcx/trcx/trace"
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestDependencies proves that dependencies.md lists the direct requirements of go.mod, each with a reason.
func TestDependencies(t *testing.T) {
	var required, listed []string
	for line := range strings.Lines(read(t, filepath.Join(root, "go.mod"))) {
		fields := strings.Fields(strings.TrimPrefix(line, "require "))
		if len(fields) >= 2 && strings.HasPrefix(fields[1], "v") && !strings.Contains(line, "// indirect") {
			required = append(required, fields[0])
		}
	}
	row := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^|]+) \\| ([^|]+) \\|$")
	for _, found := range row.FindAllStringSubmatch(read(t, "dependencies.md"), -1) {
		listed = append(listed, found[1])
	}
	slices.Sort(required)
	slices.Sort(listed)
	if !slices.Equal(required, listed) {
		t.Errorf("dependencies.md lists\n%s\nbut go.mod requires\n%s", strings.Join(listed, "\n"),
			strings.Join(required, "\n"))
	}
}

// TestAnnotationsOfTheModel proves that the schemas of the model know the keys of events that come from annotations.
func TestAnnotationsOfTheModel(t *testing.T) {
	for _, name := range []string{"model", "jsonl"} {
		schema := read(t, filepath.Join(root, "validate", "schema", name+".schema.json"))
		for _, row := range trace.Annotations() {
			if row.Key != "" && !strings.Contains(schema, `"`+row.Key+`":`) {
				t.Errorf("the schema of %s has no %s, which the annotation %s becomes", name, row.Key, row.Name)
			}
		}
	}
}

// TestOptionsOfTheAgent proves that package trace knows the options by which a trace says how it was recorded.
func TestOptionsOfTheAgent(t *testing.T) {
	o := options.Options{Heap: options.Full, WaitSets: true, Delay: 1, Duration: 1, MaxSize: 1}
	for _, setting := range o.Echo() {
		if !trace.IsKnownOption(setting.Key) {
			t.Errorf("trace.IsKnownOption does not know %s", setting.Key)
		}
	}
}

// TestLimits proves that security.md lists the limits that the command line has, with their defaults.
func TestLimits(t *testing.T) {
	page := read(t, "security.md")
	help := workplace(t, buildTool(t)).help(t, "convert")
	limit := regexp.MustCompile(`(--max-[a-z]+)\b.*\(default: ([^)]+)\)`)
	found := limit.FindAllStringSubmatch(help, -1)
	if len(found) == 0 {
		t.Fatal("the help shows no limit")
	}
	var flags []string
	for _, flag := range found {
		flags = append(flags, flag[1])
		row := regexp.MustCompile("(?m)^\\| `" + flag[1] + "` \\| ([^|]+) \\|").FindStringSubmatch(page)
		switch {
		case row == nil:
			t.Errorf("security.md has no row for %s", flag[1])
		case flag[1] != "--max-input" && !strings.Contains(strings.ReplaceAll(row[1], ",", ""), flag[2]):
			t.Errorf("security.md says %q of %s, and the help %s", row[1], flag[1], flag[2])
		}
	}
	others := workplace(t, buildTool(t)).help(t, "listen")
	for _, named := range regexp.MustCompile("--max-[a-z]+").FindAllString(page, -1) {
		if !slices.Contains(flags, named) && !strings.Contains(others, named+" ") {
			t.Errorf("security.md names %s, which does not exist", named)
		}
	}
}

// internal are the options by which trcx and the agent talk to each other.
var internal = []string{"ring", "sample-file", "stop", "ready", "summary"}

// TestAgentOptions proves that record.md lists the agent's options, with what their values are.
func TestAgentOptions(t *testing.T) {
	page := read(t, "record.md")
	own, _, _ := strings.Cut(options.Usage(), "\nFile names")
	found := regexp.MustCompile(`(?m)^  ([a-z-]+)(=\S+)? `).FindAllStringSubmatch(own, -1)
	if len(found) == 0 {
		t.Fatal("the agent's help shows no option")
	}
	for _, option := range found {
		name, value := option[1], option[2]
		// of those two there is the short no-…, which is shown
		if value == "=true|false" || slices.Contains(internal, name) {
			continue
		}
		if least, most, ok := strings.Cut(strings.TrimPrefix(value, "="), "…"); ok {
			value = "=N"
			if bounds := least + " to " + most; !strings.Contains(page, bounds) {
				t.Errorf("record.md does not say that %s is from %s", name, bounds)
			}
		}
		if !regexp.MustCompile("(?m)^\\|[^|]*`" + name + value + "`").MatchString(page) {
			t.Errorf("record.md has no row for %s%s", name, value)
		}
	}
}

// TestDefaultStackDepth proves that each page has the stack depth that recordings have by default.
func TestDefaultStackDepth(t *testing.T) {
	for page, texts := range map[string][]string{
		"record.md":       {"up to %d frames of a thread", "frames; %d by default", "so %d is"},
		"../CHANGELOG.md": {"Call stacks of %d frames are recorded by default"},
	} {
		for _, text := range texts {
			if want := fmt.Sprintf(text, options.DefaultStackDepth); !strings.Contains(read(t, page), want) {
				t.Errorf("%s does not say %q", page, want)
			}
		}
	}
}

// TestLinks proves that what the pages link to inside the project is there.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	for _, page := range append(documents(t), filepath.Join(root, "CHANGELOG.md")) {
		for _, found := range link.FindAllStringSubmatch(read(t, page), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), found[1])); err != nil {
				t.Errorf("%s links to %s: %v", filepath.Base(page), found[1], err)
			}
		}
	}
}
