package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/trcx/trcx/analyze/timeline"
	"github.com/trcx/trcx/internal/sanitize"
)

// assets are what browser/build has made of web/.
//
//go:embed assets
var assets embed.FS

// Asset is a file of the page: page.html, page.css or page.js.
func Asset(name string) []byte {
	content, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // it is a part of the program
	}
	return content
}

// Report is a page with all its data, which needs nothing else.
type Report struct {
	About  *About
	Window *timeline.Window
	// Path, Blame and Statistics are JSON of critical.Path.WriteExtract, blame.Blame.WriteExtract and
	// contention.Statistics.WriteExtract.
	Path, Blame, Statistics []byte
	// Heap is that of HeapJSON; nil if the trace has nothing of the heap.
	Heap []byte
}

// MaxListed is the limit of listed pieces of the critical path, and of rows in each table of statistics.
const MaxListed = 1000

// longestTitle is the limit of the trace's name in the title, in characters.
const longestTitle = 120

// Write writes the page.
func (r *Report) Write(out io.Writer) error {
	about, err := r.About.JSON()
	if err != nil {
		return err
	}
	var data bytes.Buffer
	for _, d := range []struct {
		id   string
		json []byte
	}{{"about", about}, {"window", AppendWindow(nil, r.Window)}, {"path", r.Path}, {"blame", r.Blame},
		{"heap", r.Heap}, {"statistics", r.Statistics}} {
		if d.json == nil {
			continue
		}
		fmt.Fprintf(&data, "<script type=\"application/json\" id=\"%s\">", d.id)
		writeHarmless(&data, d.json)
		data.WriteString("</script>\n")
	}
	style, script := Asset("page.css"), Asset("page.js")
	policy := "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(style) +
		"; img-src data:; base-uri 'none'; form-action 'none'"
	return fill(out, map[string]string{
		"policy": `<meta http-equiv="Content-Security-Policy" content="` + policy + `">`,
		"title":  titleOf(r.About.Name),
		"style":  "<style>" + string(style) + "</style>",
		"data":   data.String(),
		"script": "<script>" + string(script) + "</script>",
	})
}

// titleOf returns the page's title for the name of a trace, as HTML.
func titleOf(name string) string {
	return html.EscapeString(sanitize.Short(sanitize.Text(name), longestTitle)) + " · trcx"
}

// hash returns the hash of a text in a Content-Security-Policy.
func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Markers of page.html are replaced by parts: <!--trcx:NAME-->.
const markerBegin, markerEnd = "<!--trcx:", "-->"

// fill writes page.html with the parts by the names of their markers.
func fill(out io.Writer, parts map[string]string) error {
	rest := string(Asset("page.html"))
	for {
		before, after, found := strings.Cut(rest, markerBegin)
		if _, err := io.WriteString(out, before); err != nil || !found {
			return err
		}
		name, next, _ := strings.Cut(after, markerEnd)
		part, known := parts[name]
		if !known {
			return fmt.Errorf("page.html wants a part %q that there is not", name)
		}
		if _, err := io.WriteString(out, part); err != nil {
			return err
		}
		rest = next
	}
}

// harmful are the characters with which a text in JSON could end or begin something in HTML, or a line in old scripts.
// In JSON they are in strings only.
const harmful = "<>&\u2028\u2029"

// writeHarmless writes JSON without characters that HTML interprets.
func writeHarmless(out *bytes.Buffer, json []byte) {
	for {
		at := bytes.IndexAny(json, harmful)
		if at < 0 {
			out.Write(json)
			return
		}
		out.Write(json[:at])
		r, size := utf8.DecodeRune(json[at:])
		fmt.Fprintf(out, `\u%04x`, r)
		json = json[at+size:]
	}
}

// Served writes the page without data. It requests page.css, page.js and its data (web/served.ts) from a server.
func Served(out io.Writer, name string) error {
	return fill(out, map[string]string{
		"policy": "", // the server says it
		"title":  titleOf(name),
		"style":  `<link rel="stylesheet" href="page.css">`,
		"data":   "",
		"script": `<script src="page.js"></script>`,
	})
}
