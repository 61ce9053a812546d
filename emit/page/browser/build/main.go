// Command build bundles the sources of the page, ../web, into what Go embeds, ../assets: page.js, page.css and
// page.html. It needs no Node, as esbuild is a Go library here. The same sources give the same bytes in any folder.
//
// It runs in the folder of its module, emit/page/browser:
//
//	go run ./build          writes the assets
//	go run ./build -check   changes nothing; fails if the assets are not what the sources give
//
// page.html is a template with markers, which the writers of reports and the server replace:
//
//	<!--trcx:policy-->   the Content-Security-Policy of a report; nothing in a served page, which has it in a header
//	<!--trcx:title-->    the text of the title, with &, < and > as references
//	<!--trcx:style-->    <style> with page.css, or a <link> to it
//	<!--trcx:data-->     the <script type="application/json"> elements of a report; nothing in a served page
//	<!--trcx:script-->   <script> with page.js, or one with src and defer
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

const (
	sources = "../web"
	assets  = "../assets"
)

// markers must each be in page.html once.
var markers = []string{"<!--trcx:policy-->", "<!--trcx:title-->", "<!--trcx:style-->", "<!--trcx:data-->",
	"<!--trcx:script-->"}

func main() {
	check := flag.Bool("check", false, "fail if the assets are not what the sources give")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	built, err := build(sources)
	if err != nil {
		return err
	}
	for _, name := range []string{"page.js", "page.css", "page.html"} {
		path := filepath.Join(assets, name)
		if check {
			err = errors.Join(err, same(path, built[name]))
		} else if err = write(path, built[name]); err != nil {
			return err
		}
	}
	return err
}

// build makes the assets from a folder of sources, by name.
func build(folder string) (map[string][]byte, error) {
	if err := checkCycles(folder); err != nil {
		return nil, err
	}
	html, err := os.ReadFile(filepath.Join(folder, "page.html"))
	if err != nil {
		return nil, err
	}
	for _, marker := range markers {
		if n := bytes.Count(html, []byte(marker)); n != 1 {
			return nil, fmt.Errorf("page.html has %s %d times, not once", marker, n)
		}
	}
	script, err := bundle(folder, "main.ts")
	if err != nil {
		return nil, err
	}
	style, err := bundle(folder, "page.css")
	if err != nil {
		return nil, err
	}
	return map[string][]byte{"page.js": script, "page.css": style, "page.html": html}, nil
}

// bundle returns an entry point and all its imports as one text. Nothing in it ends a script or style element.
func bundle(folder, entry string) ([]byte, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	notice := "/* Made of emit/page/web by emit/page/build.sh. Do not edit. */"
	result := api.Build(api.BuildOptions{
		AbsWorkingDir:     folder, // paths in the output are relative to it
		EntryPoints:       []string{entry},
		Bundle:            true,
		Format:            api.FormatIIFE,
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsNone,
		MinifyWhitespace:  true,
		LineLimit:         160,
		Banner:            map[string]string{"js": notice, "css": notice},
		TreeShaking:       api.TreeShakingTrue,
		TsconfigRaw:       `{"compilerOptions":{"target":"es2022","strict":true}}`,
		LogLevel:          api.LogLevelSilent,
		PreserveSymlinks:  true,
		IgnoreAnnotations: true,
	})
	if len(result.Errors)+len(result.Warnings) > 0 {
		messages := append(api.FormatMessages(result.Errors, api.FormatMessagesOptions{Kind: api.ErrorMessage}),
			api.FormatMessages(result.Warnings, api.FormatMessagesOptions{Kind: api.WarningMessage})...)
		return nil, errors.New(strings.Join(messages, ""))
	}
	text := result.OutputFiles[0].Contents
	for _, end := range []string{"</script", "</style", "<!--"} {
		if bytes.Contains(bytes.ToLower(text), []byte(end)) {
			return nil, fmt.Errorf("%s has %q in it, which ends the element it is put into", entry, end)
		}
	}
	return text, nil
}

func same(path string, want []byte) error {
	got, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !bytes.Equal(got, want) {
		return fmt.Errorf("%s is not what the sources give; run emit/page/build.sh", filepath.Base(path))
	}
	return nil
}

// write replaces a file if its content is to change.
func write(path string, content []byte) error {
	if same(path, content) == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}
