package grammar_test

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/internal/xmlscan"
)

var update = flag.Bool("update", false, "write docs/conformance.md")

const ledger = "../../docs/conformance.md"

// exceptions has, by id, the cases that are decided differently from the suite, each with the reason.
var exceptions = map[string]string{}

// limited has, by id, the cases that exceed a default limit, each with what exceeds it. They are refused with the
// option in the message, and decided as in the suite if the limit is larger.
var limited = map[string]string{
	"ibm-valid-P85-ibm85v01.xml": "a name of more than 1024 bytes (limit: Options.Limits.Name)",
	"ibm-valid-P87-ibm87v01.xml": "a name of more than 1024 bytes (limit: Options.Limits.Name)",
}

// conformanceCase is one case of the suite.
type conformanceCase struct {
	id, kind       string // the kind is valid, invalid, not-wf or error
	edition        string
	version        string
	recommendation string
	collection     string
	file           string
}

// leftOut returns why the case is not decided, or "".
func (c conformanceCase) leftOut() string {
	switch {
	case c.kind == "error":
		return "`error`: a processor may report it or not"
	case strings.HasPrefix(c.recommendation, "NS"):
		return "about Namespaces in XML, which is another recommendation"
	case c.recommendation == "XML1.1" || c.version != "" && !slices.Contains(strings.Fields(c.version), "1.0"):
		return "about XML 1.1"
	case c.edition != "" && !slices.Contains(strings.Fields(c.edition), "5"):
		return "about earlier editions only"
	}
	return ""
}

// right reports whether the verdict agrees with the suite.
func (c conformanceCase) right(v verdict) bool {
	return !v.undecided && v.wellFormed == (c.kind != "not-wf") && v.valid == (c.kind == "valid")
}

// TestConformance decides every case of the suite that applies to XML 1.0 in its fifth edition, external entities
// included, and proves that docs/conformance.md states the results.
func TestConformance(t *testing.T) {
	suite := os.Getenv("TRCX_XMLCONF")
	if suite == "" {
		t.Skip("SKIPPED: TRCX_XMLCONF names no folder with the W3C XML conformance suite; www.w3.org/XML/Test has it")
	}
	cases := conformanceCases(t, suite)
	if len(cases) == 0 {
		t.Fatalf("TRCX_XMLCONF: no list of cases is in %s", suite)
	}
	judged := map[string]verdict{}
	for _, c := range cases {
		limits := xmlscan.Limits{}
		if limit := limited[c.id]; limit != "" {
			refused := judge(t, suite, c.file, plain, limits)
			if refused.wellFormed || !strings.HasSuffix(refused.complaints[0], limit) {
				t.Errorf("%s (%s) exceeds a limit: %s; the engine says %v", c.id, c.file, limit, refused)
			}
			limits = xmlscan.Limits{Name: 1 << 16}
		}
		got := judge(t, suite, c.file, plain, limits)
		judged[c.file] = got
		if c.leftOut() != "" {
			continue
		}
		if excepted := exceptions[c.id] != ""; c.right(got) == excepted {
			t.Errorf("%s (%s) is %s, a named exception: %v; the engine says %v", c.id, c.file, c.kind, excepted, got)
		}
		if pieces := judge(t, suite, c.file, iotest.OneByteReader, limits); !pieces.agrees(got) {
			t.Errorf("%s (%s): read in pieces of one byte the engine says %v, and else %v", c.id, c.file, pieces, got)
		}
	}
	checkLedger(t, cases, judged)
}

func plain(r io.Reader) io.Reader { return r }

// conformanceCases reads the lists of the suite. Where two cases have the same id, it keeps the first.
func conformanceCases(t *testing.T, suite string) (cases []conformanceCase) {
	seen := map[string]bool{}
	err := filepath.WalkDir(suite, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".xml" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(suite, path)
		if err != nil {
			return err
		}
		collection, _, _ := strings.Cut(filepath.ToSlash(relative), "/")
		for _, c := range listed(t, path, text) {
			if c.collection = collection; !seen[c.collection+" "+c.id] {
				seen[c.collection+" "+c.id] = true
				cases = append(cases, c)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// listed returns the cases of the file, if it is a list: its first element is TESTCASES or TEST. Some lists are not
// documents, but entities with several elements.
func listed(t *testing.T, path string, text []byte) (cases []conformanceCase) {
	if !bytes.Contains(text, []byte("<TEST")) {
		return nil
	}
	decoder := xml.NewDecoder(bytes.NewReader(text))
	decoder.Strict = false
	for first := true; ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return cases
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if first && start.Name.Local != "TESTCASES" && start.Name.Local != "TEST" {
			return nil
		}
		first = false
		if start.Name.Local == "TEST" {
			cases = append(cases, caseOf(path, start))
		}
	}
}

func caseOf(list string, test xml.StartElement) conformanceCase {
	values := map[string]string{}
	for _, attribute := range test.Attr {
		values[attribute.Name.Local] = attribute.Value
	}
	return conformanceCase{id: values["ID"], kind: values["TYPE"], edition: values["EDITION"],
		version:        values["VERSION"],
		recommendation: values["RECOMMENDATION"], file: filepath.Join(filepath.Dir(list),
			filepath.FromSlash(values["URI"]))}
}

// tally counts the cases of a collection.
type tally struct {
	right, all [len(kinds)]int
	out        map[string]int // by reason
}

var kinds = [...]string{"valid", "invalid", "not-wf"}

func (t *tally) count(c conformanceCase, right bool) {
	if reason := c.leftOut(); reason != "" {
		t.out[reason]++
		return
	}
	kind := slices.Index(kinds[:], c.kind)
	t.all[kind]++
	if right {
		t.right[kind]++
	}
}

// talliesOf returns the tallies by collection.
func talliesOf(cases []conformanceCase, judged map[string]verdict) map[string]*tally {
	tallies := map[string]*tally{}
	for _, c := range cases {
		if tallies[c.collection] == nil {
			tallies[c.collection] = &tally{out: map[string]int{}}
		}
		tallies[c.collection].count(c, c.right(judged[c.file]))
	}
	return tallies
}

// String returns the table's cells: right ones and all, for each kind and together.
func (t *tally) String() string {
	right, all := 0, 0
	var cells strings.Builder
	for i := range kinds {
		fmt.Fprintf(&cells, "%s | ", share(t.right[i], t.all[i]))
		right, all = right+t.right[i], all+t.all[i]
	}
	return cells.String() + share(right, all)
}

func share(right, all int) string {
	if all == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d", right, all)
}

func (t *tally) leftOut() string {
	var reasons []string
	for _, reason := range slices.Sorted(maps.Keys(t.out)) {
		reasons = append(reasons, fmt.Sprintf("%d %s", t.out[reason], reason))
	}
	return cmp.Or(strings.Join(reasons, "<br>"), "none")
}

// comparison begins the part of the page that is written only if the other implementations are installed.
const comparison = "\n## For comparison\n"

// checkLedger proves that docs/conformance.md is current, or writes it.
func checkLedger(t *testing.T, cases []conformanceCase, judged map[string]verdict) {
	text, err := os.ReadFile(ledger)
	if err != nil && !(*update && errors.Is(err, fs.ErrNotExist)) {
		t.Fatal(err)
	}
	old, compared, _ := strings.Cut(string(text), comparison)
	if *update {
		compared = cmp.Or(comparedWith(t, cases), compared)
	}
	page := ledgerPage(old, talliesOf(cases, judged)) + comparison + compared
	switch {
	case *update:
		err = os.WriteFile(ledger, []byte(page), 0o644)
	case page != string(text):
		err = errors.New(
			"docs/conformance.md is not current; write it with: go test ./internal/grammar -run TestConformance -update")
	}
	if err != nil {
		t.Error(err)
	}
}

// ledgerPage writes the page up to the comparison. The rows of collections that are missing are kept from the old
// one.
func ledgerPage(old string, tallies map[string]*tally) string {
	rows := map[string]string{}
	for line := range strings.Lines(old) {
		if name, found := strings.CutPrefix(line, "| `"); found {
			rows[name[:strings.Index(name, "`")]] = line
		}
	}
	for name, tally := range tallies {
		rows[name] = fmt.Sprintf("| `%s` | %v | %s |\n", name, tally, tally.leftOut())
	}
	page := &strings.Builder{}
	page.WriteString(ledgerIntroduction)
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		page.WriteString(rows[name])
	}
	page.WriteString(leftOutReasons)
	for _, id := range slices.Sorted(maps.Keys(limited)) {
		fmt.Fprintf(page, "- `%s`: %s\n", id, limited[id])
	}
	page.WriteString("\n## Exceptions\n\n")
	if len(exceptions) == 0 {
		page.WriteString("None: every case is decided as in the suite.\n")
	}
	for _, id := range slices.Sorted(maps.Keys(exceptions)) {
		fmt.Fprintf(page, "- `%s`: %s.\n", id, exceptions[id])
	}
	return page.String()
}

const ledgerIntroduction = `<!-- Written by the tests: go test ./internal/grammar -run TestConformance -update -->

# Conformance to XML 1.0

The W3C's test suite has documents with a verdict on each: valid, well-formed but invalid, or not well-formed. The DTD
engine ([internal/grammar/](../internal/grammar)) decides all cases that apply to XML 1.0, fifth edition, and reads their
external subsets and entities. The suite is not part of this project: the test reads it from the
folder that ` + "`TRCX_XMLCONF`" + ` names, and is skipped without it.

Cases that are decided as in the suite:

| collection | valid | invalid | not well-formed | together | left out |
|---|---|---|---|---|---|
`

// leftOutReasons has the reasons, from the recommendation, for leaving out cases, and begins the list of limited.
const leftOutReasons = `
## What is left out, and why

- "error": the suite has no verdict on these. "Conforming software MAY detect and report an error and MAY recover from
  it" (section 1.2, Terminology).
- Earlier editions: the fifth edition allows more characters in names (section 2.3), and the suite marks the cases on which
  the editions differ. The engine has one set of rules.
- Namespaces in XML: another recommendation. XML 1.0 gives colons no meaning: "XML processors must accept the colon as a
  name character" (section 2.3).
- XML 1.1: another recommendation, with other characters and line ends. A document labelled 1.1 is processed as one of 1.0
  (section 2.8). But an entity labelled 1.1 cannot be a part of a document of 1.0, which is not well-formed then: "The
  version declaration appearing in the document entity determines the version of the document as a whole", and of the two
  only a document of 1.1 "may invoke" entities of the other version (XML 1.1, section 4.3.4).

## Limits

The recommendation has no limits, and every processor does. A document that exceeds one is refused, with the flag that
raises it in the message. With a larger limit these are decided as in the suite:

`

// comparedWith writes how other implementations decide the same cases, or nothing if one of them is not installed.
func comparedWith(t *testing.T, cases []conformanceCase) string {
	var files []string
	for _, c := range cases {
		files = append(files, c.file)
	}
	slices.Sort(files)
	files = slices.Compact(files) // some documents are several cases
	page := &strings.Builder{}
	page.WriteString(
		"\nThe same cases, all collections together, decided by other parsers:\n\n| | valid | invalid | not " +
			"well-formed | together |\n|---|---|---|---|---|\n")
	for _, other := range []oracle{xmllint, jdk} {
		tool := testtool.Lookup(other.tool)
		path, found := tool.Find()
		if !found {
			t.Logf("SKIPPED: the comparison in %s is as it was: %v is missing", ledger, tool)
			return ""
		}
		judged := other.judge(t, other.command(path), files)
		together := &tally{out: map[string]int{}}
		for _, c := range cases {
			together.count(c, c.right(judged[c.file]))
		}
		fmt.Fprintf(page, "| %s | %v |\n", other.name, together)
	}
	page.WriteString(
		"\nxmllint ignores most constraints of `standalone=\"yes\"`, and reports replacement texts that do not nest " +
			"properly as not\nwell-formed; its errors by Namespaces in XML are not counted here. The JDK's parser has " +
			"the names of earlier editions.\n")
	return page.String()
}
