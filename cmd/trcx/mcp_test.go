package main

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// assistantOf starts trcx mcp, and returns a function that asks it like an assistant.
func assistantOf(t *testing.T, flags ...string) func(tool string, arguments map[string]any) (text string, failed bool) {
	t.Helper()
	ask, answered := io.Pipe()
	replies, replied := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- Main(append([]string{"trcx", "mcp"}, flags...), ask, replied, io.Discard)
		replied.Close()
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: replies, Writer: answered}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		if status := <-done; status != exitDone {
			t.Errorf("trcx mcp ended with %d", status)
		}
	})
	checkTools(t, session)
	return func(tool string, arguments map[string]any) (string, bool) {
		t.Helper()
		result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil {
			t.Fatal(err)
		}
		return result.Content[0].(*mcp.TextContent).Text, result.IsError
	}
}

// checkTools: each tool is described, and only record writes.
func checkTools(t *testing.T, session *mcp.ClientSession) {
	t.Helper()
	listed, err := session.ListTools(t.Context(), nil)
	if err != nil || len(listed.Tools) != len(tools) {
		t.Fatalf("%d tools, %v; want %d", len(listed.Tools), err, len(tools))
	}
	for _, tool := range listed.Tools {
		properties := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
		for i := range tools {
			if tools[i].command == tool.Name && len(properties) != len(tools[i].flags)+1 {
				t.Errorf("%s has the arguments %v, want %v", tool.Name, properties, tools[i].flags)
			}
		}
		if tool.Description == "" || tool.Annotations.ReadOnlyHint != (tool.Name != "record") {
			t.Errorf("%s: %q, %+v", tool.Name, tool.Description, tool.Annotations)
		}
	}
}

// TestAssistant proves that an assistant gets the commands' answers, within a limit, and only what it may ask for.
func TestAssistant(t *testing.T) {
	ask := assistantOf(t)
	trace, dump := "../../testdata/recorded/deadlock-jdk17.trcxml", "../../testdata/scripts/common/shop.hprof"
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		failed    bool
		want      string
	}{
		{"why", map[string]any{"target": trace}, false, "deadlock"},
		{"why", map[string]any{"target": trace, "format": "json"}, false, `"kind":"deadlock"`},
		{"stats", map[string]any{"file": trace, "top": 1}, false, "--top 0 shows all"},
		{"blame", map[string]any{"file": trace, "by": "thread"}, false, "BLOCKED"},
		{"path", map[string]any{"file": trace, "since": "1ms"}, false, "path"},
		{"deadlocks", map[string]any{"file": trace, "all": true}, false, "holds"},
		{"heap", map[string]any{"file": dump, "top": 3}, false, "shop.Item"},
		{"stats", map[string]any{"file": "/etc/passwd"}, true, "no known format"},
		{"stats", map[string]any{"file": "none.trcxml"}, true, "no such file"},
		{"stats", map[string]any{"file": "-"}, true, "name a file"},
		{"stats", map[string]any{"file": "--save=x"}, true, "no such file"},
		{"stats", map[string]any{}, true, "stats needs file"},
		{"stats", map[string]any{"file": trace, "save": "x"}, true, `stats has no argument "save"; it has file, since`},
		{"stats", map[string]any{"file": trace, "since": "soon"}, true, "--since"},
		{"why", map[string]any{"target": "1"}, true, "process 1 is not allowed"},
		{"why", map[string]any{"target": trace, "for": "11m"}, true, "at most 10m0s are recorded"},
		{"record", map[string]any{"pid": "1", "duration": "1s"}, true, "process 1 is not allowed"},
	} {
		text, failed := ask(c.tool, c.arguments)
		if failed != c.failed || !strings.Contains(text, c.want) {
			t.Errorf("%s %v: failed: %v: %s\nwant %q", c.tool, c.arguments, failed, text, c.want)
		}
	}
	long := map[string]any{"file": "../../testdata/recorded/orders-jdk25.trcxml", "top": 0, "format": "json"}
	if text, failed := ask("stats", long); failed ||
		len(text) > maxAnswer+100 || !strings.Contains(text, "bytes were cut; ask for less") {
		t.Errorf("a long answer has %d bytes and ends with %q", len(text), text[max(0, len(text)-100):])
	}
}
