package answers_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/emit/answers"
)

func sample() *answer.Answer {
	t := answer.Table{Title: "Threads", Columns: append(answer.Left("thread"),
		answer.Right("count", "time")...), Rows: [][]any{
		{"main", 12, answer.Time(1_500_000)},
		{"日本", nil, answer.Time(7)}, nil, nil, nil,
	}}
	t.Limit(2)
	return of(t)
}

var all = answers.Options{All: "--all shows all"}

// of returns an answer with one table.
func of(t answer.Table) *answer.Answer {
	return &answer.Answer{
		Report: func() *answer.Report { return &answer.Report{Headline: "Waits.", Tables: []answer.Table{t}} },
		CSV:    answer.RowsOf(func() answer.Table { return t }),
	}
}

func TestText(t *testing.T) {
	const want = `Waits.

Threads
  thread  count     time
  main       12  1.50 ms
  日本              7 ns
  and 3 more; --all shows all
`
	var got bytes.Buffer
	if err := answers.WriteText(&got, sample(), all); err != nil || got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

func TestMarkdown(t *testing.T) {
	const want = "Waits.\n\n### Threads\n\n| thread | count | time |\n| --- | ---: | ---: |\n| main | 12 | 1.50 ms |\n| 日本 | " +
		" | 7 ns |\n\nand 3 more; --all shows all\n\n"
	var got bytes.Buffer
	if err := answers.WriteMarkdown(&got, sample(), all); err != nil || got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// TestNested proves that nested texts are indented for people, up to a limit, and not in CSV.
func TestNested(t *testing.T) {
	tree := answer.Table{Title: "Tree", Columns: answer.Left("object")}
	for _, level := range []int{0, 1, 2, 25} {
		tree.Rows = append(tree.Rows, []any{answer.Nested{Level: level, Text: "Node"}})
	}
	var text, markdown, csv bytes.Buffer
	if err := errors.Join(answers.WriteText(&text, of(tree), all),
		answers.WriteMarkdown(&markdown, of(tree), all), answers.WriteCSV(&csv, of(tree))); err != nil {
		t.Fatal(err)
	}
	want := "Waits.\n\nTree\n  object\n  Node\n    Node\n      Node\n" + strings.Repeat(" ", 42) + "(level 25) Node\n"
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

// TestMarkdownMakesNothingOfNames: text that GitHub would link, mention or draw stays text.
func TestMarkdownMakesNothingOfNames(t *testing.T) {
	for text, want := range map[string]string{
		"@octocat": "@<!-- -->octocat", "a@b.c": "a@<!-- -->b.c", "https://x": "https:<!-- -->//x",
		":boom:": ":<!-- -->boom:", "$x^2$": "&#36;x^2$", "GH-1": "GH<!-- -->-1",
		"www.x.y": "www<!-- -->.x.y", "#1": `\#1`,
		"shop.Cache$Entry.load(Cache.java:88)": "shop.Cache$Entry.load(Cache.java:88)", "a@": "a@", "<b>": `&lt;b\>`,
	} {
		var got bytes.Buffer
		sentence := &answer.Answer{Report: func() *answer.Report { return &answer.Report{Headline: text} }}
		if err := answers.WriteMarkdown(&got, sentence, all); err != nil || got.String() != want+"\n" {
			t.Errorf("%q is %q, want %q", text, got.String(), want)
		}
	}
}

func TestCSV(t *testing.T) {
	const want = "thread,count,time\nmain,12,1500000\n日本,,7\n"
	var got bytes.Buffer
	if err := answers.WriteCSV(&got, sample()); err != nil || got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// hostile are names that try to break an output.
var hostile = []string{"</script><img src=x onerror=alert(1)>", "a|b\n\n# c", "\x1b[31mred", "\x00", "\u009b31m\x7f",
	"\xED\xA0\x80", "\u202Eevil", "`code` **bold** [a](b)", "=1+1", "-2", "@x", "\tx", `"a","b"`,
	strings.Repeat("w", 10_000), "&lt;", "\\"}

// FuzzCells: any cell stays on its line, is valid UTF-8, and does not control a terminal, page or spreadsheet.
func FuzzCells(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		one := of(answer.Table{Title: "T", Columns: answer.Left("a", "b"), Rows: [][]any{answer.Row(text, "end")}})
		var plain, narrow, markdown, values bytes.Buffer
		if errors.Join(answers.WriteText(&plain, one, all), answers.WriteText(&narrow, one, answers.Options{Width: 40}),
			answers.WriteMarkdown(&markdown, one, all), answers.WriteCSV(&values, one)) != nil {
			t.Fatal("it cannot be written")
		}
		if n := strings.Count(plain.String(), "\n"); n != 5 || !utf8.Valid(plain.Bytes()) ||
			strings.ContainsAny(plain.String(), "\x00\x1b\u202E\u009b") {
			t.Errorf("text: %q", plain.String())
		}
		for line := range strings.Lines(narrow.String()) {
			if w := runewidth.StringWidth(strings.TrimSuffix(line, "\n")); w > 40 || !utf8.ValidString(line) {
				t.Errorf("%d columns: %q", w, line)
			}
		}
		row := strings.Split(markdown.String(), "\n")[6]
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
