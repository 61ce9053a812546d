package page

import (
	"bufio"
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

// assets is the output of browser/build for web/.
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

// Report is a page that contains all its data.
type Report struct {
	About  *About
	Window *timeline.Window
	// Path, Blame and Statistics are JSON of critical.Path.Extract, blame.Blame.Extract and
	// contention.Statistics.Extract.
	Path, Blame, Statistics []byte
	// Heap is the result of HeapJSON; nil if the trace says nothing about the heap.
	Heap []byte
	// Methods is JSON of methods.Collector.Extract; nil if the trace has no calls and samples.
	Methods []byte
}

// MaxListed limits the listed pieces of the critical path, and the rows of each table of statistics.
const MaxListed = 1000

// longestTitle limits the trace's name in the title, in characters.
const longestTitle = 120

// Write writes the page.
func (r *Report) Write(out io.Writer) error {
	about, err := r.About.JSON()
	if err != nil {
		return err
	}
	data := func(out *bufio.Writer) {
		for _, d := range []struct {
			id    string
			json  []byte
			write func(piece func([]byte)) // in place of json
		}{{id: "about", json: about},
			{id: "window", write: func(piece func([]byte)) { writeWindow(r.Window, piece) }},
			{id: "path", json: r.Path}, {id: "blame", json: r.Blame}, {id: "heap", json: r.Heap}, {id: "methods", json: r.Methods},
			{id: "statistics", json: r.Statistics}} {
			if d.json == nil && d.write == nil {
				continue
			}
			fmt.Fprintf(out, "<script type=\"application/json\" id=\"%s\">", d.id)
			if d.write != nil {
				d.write(func(piece []byte) { writeHarmless(out, piece) })
			}
			writeHarmless(out, d.json)
			out.WriteString("</script>\n")
		}
	}
	style, script := Asset("page.css"), Asset("page.js")
	policy := "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(style) +
		"; img-src data:; base-uri 'none'; form-action 'none'"
	return fill(out, map[string]func(*bufio.Writer){
		"policy": text(`<meta http-equiv="Content-Security-Policy" content="` + policy + `">`),
		"title":  text(titleOf(r.About.Name)),
		"style":  text("<style>" + string(style) + "</style>"),
		"data":   data,
		"script": text("<script>" + string(script) + "</script>"),
	})
}

// text returns a part of the page that is text.
func text(part string) func(*bufio.Writer) {
	return func(out *bufio.Writer) { out.WriteString(part) }
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

// fill writes page.html. Functions write the parts, by the names of their markers.
func fill(to io.Writer, parts map[string]func(*bufio.Writer)) error {
	out, rest := bufio.NewWriterSize(to, pieceSize), string(Asset("page.html"))
	for {
		before, after, found := strings.Cut(rest, markerBegin)
		out.WriteString(before) // Flush returns an earlier error
		if !found {
			return out.Flush()
		}
		name, next, _ := strings.Cut(after, markerEnd)
		write, known := parts[name]
		if !known {
			return fmt.Errorf("page.html wants a part %q that there is not", name)
		}
		write(out)
		rest = next
	}
}

// harmful are the characters with which a text in JSON could end or begin something in HTML, or a line in old scripts.
// JSON has them only in strings.
const harmful = "<>&\u2028\u2029"

// writeHarmless writes JSON without characters that HTML interprets.
func writeHarmless(out *bufio.Writer, json []byte) {
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
	return fill(out, map[string]func(*bufio.Writer){
		"policy": text(""), // the server's header has it
		"title":  text(titleOf(name)),
		"style":  text(`<link rel="stylesheet" href="page.css">`),
		"data":   text(""),
		"script": text(`<script src="page.js"></script>`),
	})
}
