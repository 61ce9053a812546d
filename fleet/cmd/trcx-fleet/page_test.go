package main

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/fleet/rows"
	"github.com/trcx/trcx/fleet/tables"
)

// TestCSV: a name does not become a formula of a spreadsheet, as in the CSV of trcx.
func TestCSV(t *testing.T) {
	var set rows.Set
	set.Add(rows.Key{Table: rows.Class, Class: "=1+1"}, rows.Value{Traces: 3})
	var out bytes.Buffer
	if err := tables.All(set.Sorted(), nil, nil)[0].Write(&out, "csv"); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.HasPrefix(text, "class,blocked.count,") || strings.Contains(text, "\n=1+1") ||
		!strings.Contains(text, "=1+1") || !strings.HasSuffix(text, ",0,0,3\n") {
		t.Errorf("the CSV is\n%s", text)
	}
}

// TestPage: names that try to break out of the page stay text, the page begins with what is wrong, and it loads nothing.
func TestPage(t *testing.T) {
	const hostile = "</td></table><script>alert(1)</script>&lt;\"'\u202e\n\xff"
	var waits histogram.Distribution
	waits.Add(5)
	var set rows.Set
	for _, label := range []string{hostile, "b"} {
		key := rows.Key{Labels: rows.JoinLabels([]string{label}), Class: hostile, Method: hostile, File: hostile, Line: 1,
			Monitor: hostile, Pool: hostile, Kind: hostile, State: hostile, Name: hostile, Trace: hostile}
		for _, table := range []string{rows.All, rows.Class, rows.Caller, rows.Site, rows.Blame, rows.Deadlock, rows.Finding,
			rows.Trace, rows.Dead} {
			key.Table, key.Time = table, ""
			set.Add(key, rows.Value{Count: 1, Total: 5, Traces: 1, Length: 10, Status: rows.Partial, Text: hostile})
			key.Time = "blocked"
			set.Add(key, rows.Of(&waits))
		}
	}
	var out bytes.Buffer
	if err := writePage(&out, set.Sorted(), []string{"service"}, nil, 0); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	for _, wrong := range []string{"<script", "\u202e", "\xff", "src=", "href=", "http", "url("} {
		if strings.Contains(page, wrong) {
			t.Errorf("the page has %q", wrong)
		}
	}
	if shown := strings.Count(page, `alert(1)&lt;/script&gt;&amp;lt;`); shown < 15 {
		t.Errorf("the hostile name is shown %d times only:\n%s", shown, page)
	}
	// The rest of the page is well-formed, with as many cells in each row as columns.
	_, body, _ := strings.Cut(page, "<body>")
	decoder := xml.NewDecoder(strings.NewReader("<body>" + strings.TrimSuffix(strings.TrimSpace(body), "</html>")))
	columns, cells := 0, 0
	var titles []string
	for title := false; ; {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, body)
		}
		switch token := token.(type) {
		case xml.StartElement:
			title = token.Name.Local == "h2"
			switch token.Name.Local {
			case "table":
				columns = 0
			case "th":
				columns++
			case "td":
				cells++
			}
		case xml.EndElement:
			if token.Name.Local == "tr" && cells > 0 && cells != columns {
				t.Errorf("a row has %d cells, and the table %d columns", cells, columns)
			}
			if token.Name.Local == "tr" {
				cells = 0
			}
		case xml.CharData:
			if title {
				titles, title = append(titles, string(token)), false
			}
		}
	}
	if got := strings.Join(titles, "; "); !strings.HasPrefix(got, "Deadlocks; Findings of the diagnosis, by the number of times; By service; Classes") {
		t.Errorf("the tables are %s", got)
	}
}
