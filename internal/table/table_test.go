package table_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trcx/trcx/internal/table"
)

func sample() *table.Table {
	t := &table.Table{Title: "Threads", Columns: []table.Column{{Name: "thread"}, {Name: "count", Right: true},
		{Name: "time", Right: true}}, Rows: [][]table.Cell{
		{table.Text("main"), table.Count(12), table.Time(1_500_000)},
		{table.Text("日本"), table.Nothing(), table.Time(7)},
	}}
	t.AddNote("… and 3 more")
	return t
}

func TestText(t *testing.T) {
	const want = `Threads
  thread  count     time
  main       12  1.50 ms
  日本              7 ns
  … and 3 more
`
	var got bytes.Buffer
	if err := sample().WriteText(&got); err != nil || got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

func TestMarkdown(t *testing.T) {
	const want = "### Threads\n\n| thread | count | time |\n| --- | ---: | ---: |\n| main | 12 | 1.50 ms |\n| 日本 | " +
		" | 7 ns |\n\n… and 3 more\n\n"
	var got bytes.Buffer
	if err := sample().WriteMarkdown(&got); err != nil || got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// TestNested proves that nested texts are indented for people, up to a limit, and not in CSV.
func TestNested(t *testing.T) {
	tree := &table.Table{Title: "Tree", Columns: table.Left("object")}
	for _, level := range []int{0, 1, 2, 25} {
		tree.Rows = append(tree.Rows, []table.Cell{table.Nested(level, "Node")})
	}
	var text, markdown, csv bytes.Buffer
	if err := errors.Join(tree.WriteText(&text), tree.WriteMarkdown(&markdown), tree.WriteCSV(&csv)); err != nil {
		t.Fatal(err)
	}
	want := "Tree\n  object\n  Node\n    Node\n      Node\n" + strings.Repeat(" ", 42) + "(level 25) Node\n"
	if text.String() != want {
		t.Errorf("got\n%s\nwant\n%s", text.String(), want)
	}
	if want := "| &emsp;&emsp;Node |\n"; !strings.Contains(markdown.String(), want) {
		t.Errorf("got\n%s\nwant %s", markdown.String(), want)
	}
	if want := "object\nNode\nNode\nNode\nNode\n"; csv.String() != want {
		t.Errorf("got\n%s\nwant\n%s", csv.String(), want)
	}
}

// TestMarkdownMakesNothingOfNames: what GitHub would link, mention or draw stays text.
func TestMarkdownMakesNothingOfNames(t *testing.T) {
	for text, want := range map[string]string{
		"@octocat": "@<!-- -->octocat", "a@b.c": "a@<!-- -->b.c", "https://x": "https:<!-- -->//x",
		":boom:": ":<!-- -->boom:", "$x^2$": "&#36;x^2$", "GH-1": "GH<!-- -->-1",
		"www.x.y": "www<!-- -->.x.y", "#1": `\#1`,
		"shop.Cache$Entry.load(Cache.java:88)": "shop.Cache$Entry.load(Cache.java:88)", "a@": "a@", "<b>": `&lt;b\>`,
	} {
		if got := table.Markdown(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestCSV(t *testing.T) {
	const want = "thread,count,time\nmain,12,1500000\n日本,,7\n"
	var got bytes.Buffer
	if err := sample().WriteCSV(&got); err != nil || got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// hostile are names that try to break an output.
var hostile = []string{"</script><img src=x onerror=alert(1)>", "a|b\n\n# c", "\x1b[31mred", "\x00", "\u009b31m\x7f",
	"\xED\xA0\x80", "\u202Eevil", "`code` **bold** [a](b)", "=1+1", "-2", "@x", "\tx", `"a","b"`,
	strings.Repeat("w", 10_000), "&lt;", "\\"}

// FuzzCells: whatever a cell holds, it stays in its line, is valid UTF-8, and no terminal, page or spreadsheet obeys
// it.
func FuzzCells(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		one := &table.Table{Title: "T", Columns: []table.Column{{Name: "a"}, {Name: "b"}}, Rows: [][]table.Cell{
			{table.Text(text), table.Text("end")}}}
		var plain, markdown, values bytes.Buffer
		if one.WriteText(&plain) != nil || one.WriteMarkdown(&markdown) != nil || one.WriteCSV(&values) != nil {
			t.Fatal("it cannot be written")
		}
		if n := strings.Count(plain.String(), "\n"); n != 3 || !utf8.Valid(plain.Bytes()) ||
			strings.ContainsAny(plain.String(), "\x00\x1b\u202E\u009b") {
			t.Errorf("text: %q", plain.String())
		}
		row := strings.Split(markdown.String(), "\n")[4]
		if bars := strings.Count(row, "|") - strings.Count(row, `\|`); bars != 3 && !strings.Contains(text, `\`) ||
			strings.Contains(strings.ReplaceAll(row, "<!-- -->", ""), "<") {
			t.Errorf("markdown: %q", row)
		}
		records, err := csv.NewReader(&values).ReadAll()
		if err != nil || len(records) != 2 || records[1][1] != "end" {
			t.Fatalf("csv: %v, %q", err, records)
		}
		if cell := records[1][0]; cell != "" && strings.ContainsAny(string([]rune(cell)[:1]), "=+-@\t\r\n＝＋－＠") ||
			!utf8.ValidString(cell) || strings.ContainsAny(cell, "\x00\x1b\x7f\u009b") {
			t.Errorf("csv: %q", cell)
		}
	})
}
