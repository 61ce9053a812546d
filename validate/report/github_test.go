package report_test

import (
	"regexp"
	"strings"
	"testing"
)

// annotation is a workflow command as the runner parses it.
type annotation struct {
	command, message string
	properties       map[string]string
}

var (
	command      = regexp.MustCompile(`^::(error|warning|notice) ((?:[a-z]+=[^,:\n\r]*)(?:,[a-z]+=[^,:\n\r]*)*)::(.*)$`)
	unescape     = strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
	unescapeText = strings.NewReplacer("%0D", "\r", "%0A", "\n", "%25", "%")
)

// readGitHub reads workflow commands; any other line is an error.
func readGitHub(t testing.TB, content []byte) (commands []annotation) {
	t.Helper()
	for line := range strings.Lines(string(content)) {
		parts := command.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if parts == nil {
			t.Fatalf("not a command: %.300q", line)
		}
		a := annotation{command: parts[1], message: unescapeText.Replace(parts[3]), properties: map[string]string{}}
		for _, property := range strings.Split(parts[2], ",") {
			name, value, _ := strings.Cut(property, "=")
			a.properties[name] = unescape.Replace(value)
		}
		commands = append(commands, a)
	}
	return commands
}

// TestGitHubEscapes proves that the runner reads the original texts.
func TestGitHubEscapes(t *testing.T) {
	f := findings(1, rules[0])[0]
	f.Message = "100%, that is: %0A is no line end"
	got := readGitHub(t, printed(t, "github", options, result("a,b:c%2C.trcxml", f)))[0]
	if got.command != "error" || got.message != f.Message || got.properties["file"] != "a,b:c%2C.trcxml" ||
		got.properties["title"] != f.Rule ||
		got.properties["line"] != "1" || got.properties["col"] != "1" {
		t.Errorf("the runner reads %+v", got)
	}
}
