package grammar_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/internal/xmlscan"
)

// knownDifference is a known deviation of an oracle from the recommendation.
type knownDifference struct {
	theirs *regexp.Regexp // one of the oracle's complaints
	ours   *regexp.Regexp // if given, our complaints that the oracle lacks; else the oracle's complaint is wrong
	form   bool           // the oracle makes them, but as errors of form
	text   *regexp.Regexp // if given, the document must match it
	reason string         // with the section of XML 1.0
}

// knownDifferences are by the oracle's name.
var knownDifferences = map[string][]knownDifference{
	xmllint.name: {
		{theirs: regexp.MustCompile(`entity \S+ not terminated`), text: regexp.MustCompile(`NDATA %`),
			reason: "a parameter entity is enlarged by a space, which it does not expect after a notation's " +
				"name (4.4.8)"},
		{theirs: regexp.MustCompile(`PEReference: %no; not found`), text: regexp.MustCompile(`<\?q`),
			reason: "it looks for references in processing instructions (2.8)"},
		{theirs: regexp.MustCompile(`PEReference: %\S+; not found`),
			ours: regexp.MustCompile(`the parameter entity \S+ is not declared`), form: true,
			reason: "it takes the constraint of validity for that of form (4.1, Entity Declared, which production " +
				"69 has for validity only)"},
		{theirs: regexp.MustCompile(`Entity '\S+' not defined`),
			ours: regexp.MustCompile(`^dtd-entity|not declared before it`), form: true,
			reason: "it uses the same words for the constraint of form and that of validity (4.1, Entity Declared)"},
		{
			theirs: regexp.MustCompile(
				`Entity '(t[01]|self)' not defined|EntityRef: expecting|CharRef: invalid|xmlParseString`),
			text: regexp.MustCompile(`<!ENTITY t2 &#34;|<!ENTITY self '|<!ENTITY % p\d+ SYSTEM`),
			reason: "in a parameter entity it looks for entities of which a value speaks, where they are " +
				"bypassed (4.4.7)"},
		{theirs: regexp.MustCompile(`Invalid URI|Fragment not allowed`),
			reason: "it takes a bad system identifier for an error of form (4.2.2)"},
		{ours: regexp.MustCompile(`^dtd-required|two attributes of type NOTATION`), text: regexp.MustCompile(`\.dtd`),
			reason: "of an element that the internal subset declares it forgets what attributes the external one " +
				"declares (3.3)"},
		{theirs: regexp.MustCompile(`reference an unknown entity`),
			text: regexp.MustCompile(`standalone='yes'|#FIXED|m ENTITY`),
			reason: "in a standalone document it does not find those of the external subset (3.3.1, Entity Name); " +
				"and of a default that is not used only the syntax counts (3.3.2, Attribute Default Value " +
				"Syntactically Correct)"},
		{theirs: regexp.MustCompile(`Syntax of value for|Value "[^"]*&#x[^"]*" for`), text: regexp.MustCompile(`é`),
			reason: "it does not decide values beyond ASCII that have references in them (3.3.3)"},
		{theirs: regexp.MustCompile(`is different from default|must be "`),
			text: regexp.MustCompile(`#FIXED (["']|&#34;)[^"']*&`),
			reason: "it does not resolve references in a #FIXED value before it compares (3.3.2, Fixed " +
				"Attribute Default)"},
		{ours: regexp.MustCompile(`^xml-syntax.*standalone`), text: regexp.MustCompile(`standalone='yes'`),
			reason: "what a parameter entity declares it takes for internal (4.1, Entity Declared)"},
		{ours: regexp.MustCompile(`^dtd-content.*(text|a reference or a CDATA section) in`),
			text:   regexp.MustCompile(`&#32;`),
			reason: "it takes a reference to the character for white space (3, Element Valid)"},
		{ours: regexp.MustCompile(`^dtd-standalone`),
			reason: "it checks little of what standalone promises, and takes what internal parameter entities " +
				"declare for internal (2.9)"},
		{ours: regexp.MustCompile(`^dtd-declaration.*notation`),
			reason: "a notation may be declared twice (4.7, Unique Notation Name)"},
		{ours: regexp.MustCompile(`^dtd-content`), theirs: regexp.MustCompile(notDeterministic),
			reason: "what it finds not deterministic it does not decide (3.2.1)"},
		{ours: regexp.MustCompile(`^dtd-content.*EMPTY`), text: regexp.MustCompile(`&\w+;`),
			reason: "a reference to an entity is nothing to it inside EMPTY (3, Element Valid)"},
	},
	jdk.name: {
		{ours: regexp.MustCompile(`^xml-syntax.*standalone`), text: regexp.MustCompile(`standalone='yes'`),
			reason: "what a parameter entity declares it takes for internal (4.1, Entity Declared)"},
		{ours: regexp.MustCompile(`^dtd-content.*(text|a reference or a CDATA section) in`),
			text:   regexp.MustCompile(`&#32;`),
			reason: "it takes a reference to the character for white space (3, Element Valid)"},
		{ours: regexp.MustCompile(`^dtd-declaration.*the list is empty`), text: regexp.MustCompile(`m NMTOKENS ''`),
			reason: "a list may be empty to it (3.3.2, Attribute Default Value Syntactically Correct)"},
		{ours: regexp.MustCompile(`^xml-syntax.*has no end`), text: regexp.MustCompile(`\.dtd|\.ent`),
			reason: "it does not notice that an external entity ends inside of a processing instruction (2.6)"},
		{theirs: regexp.MustCompile(`entity of a later version`),
			reason: "it has the rule of earlier editions, by which versions to come are refused (2.8)"},
		{theirs: regexp.MustCompile(`The entity "\S+" was referenced, but not declared`),
			ours: regexp.MustCompile(`^dtd-entity|not declared before it`), form: true,
			reason: "it takes the constraint of validity for that of form, unless it has begun to read an external " +
				"subset (4.1, Entity Declared)"},
	},
}

// applies reports whether the difference may show in the document.
func (k *knownDifference) applies(text string, theirs verdict) bool {
	return (k.text == nil || k.text.MatchString(text)) &&
		(k.theirs == nil || slices.ContainsFunc(theirs.complaints, k.theirs.MatchString))
}

// TestAgainstOracles compares the verdicts of the engine and of other implementations on random documents.
func TestAgainstOracles(t *testing.T) {
	testtool.Long(t)
	folder := t.TempDir()
	documents := randomDocuments(t, folder, documentCount(t))
	ours := map[string]verdict{}
	var tally [3]int
	for _, file := range documents {
		v := judge(t, folder, file, plain, xmlscan.Limits{})
		ours[file] = v
		switch {
		case !v.wellFormed:
			tally[2]++
		case !v.valid:
			tally[1]++
		default:
			tally[0]++
		}
	}
	t.Logf("%d documents: %d valid, %d invalid, %d not well-formed", len(documents), tally[0], tally[1], tally[2])
	if slices.Min(tally[:]) < len(documents)/20 {
		t.Error("that tests little")
	}
	for _, other := range []oracle{xmllint, jdk} {
		t.Run(other.name, func(t *testing.T) {
			command := other.command(testtool.Need(t, other.tool))
			t.Parallel()
			compare(t, other, documents, ours, other.judge(t, command, documents))
		})
	}
}

// TestPieces proves that findings do not depend on the pieces in which documents are read.
func TestPieces(t *testing.T) {
	testtool.Long(t)
	folder := t.TempDir()
	for _, file := range randomDocuments(t, folder, 300) {
		whole, pieces := judge(t, folder, file, plain, xmlscan.Limits{}), judge(t, folder, file, iotest.OneByteReader, xmlscan.Limits{})
		if !slices.Equal(whole.complaints, pieces.complaints) {
			t.Errorf("in whole: %v\nin pieces of one byte: %v\n%s", whole, pieces, allOf(t, file))
		}
	}
}

// documentCount is the number of documents that a run compares; TRCX_DIFFERENTIAL sets it.
func documentCount(t *testing.T) int {
	text := os.Getenv("TRCX_DIFFERENTIAL")
	if text == "" {
		return 1500
	}
	count, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("TRCX_DIFFERENTIAL: %v", err)
	}
	return count
}

// randomDocuments writes documents, and what they refer to, into the folder.
func randomDocuments(t *testing.T, folder string, count int) (files []string) {
	for i := range count {
		g := &generator{Rand: rand.New(rand.NewPCG(3, uint64(i)))}
		file, err := save(folder, g.files(fmt.Sprintf("d%d", i)))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// compare reports every unknown difference. Known differences may leave at most a sixth of the documents undecided.
func compare(t *testing.T, other oracle, documents []string, ours, theirs map[string]verdict) {
	known := map[string]int{} // by reason
	excused := 0
	for _, file := range documents {
		if theirs[file].agrees(ours[file]) && !theirs[file].undecided {
			continue
		}
		text := allOf(t, file)
		reasons := excuses(other, text, ours[file], theirs[file])
		if len(reasons) == 0 {
			t.Errorf("%s says: %v\nthe engine says: %v\n%s", other.name, theirs[file], ours[file], text)
			continue
		}
		excused++
		for _, reason := range reasons {
			known[reason]++
		}
	}
	for reason, count := range known {
		t.Logf("%d times %s", count, reason)
	}
	t.Logf("%d of %d documents are known differences", excused, len(documents))
	if excused > len(documents)/6 {
		t.Error("these are too many to compare anything")
	}
}

// excuses returns the reasons why the verdicts may differ: the oracle makes a wrong complaint, or lacks only complaints
// that it is known not to make. After an error of form the engine reads no further.
func excuses(other oracle, text string, ours, theirs verdict) (reasons []string) {
	if theirs.undecided {
		return []string{"it gave up"}
	}
	remaining := slices.Clone(ours.complaints)
	for _, known := range knownDifferences[other.name] {
		has := known.ours != nil && slices.ContainsFunc(ours.complaints, known.ours.MatchString)
		switch {
		case !known.applies(text, theirs):
		case known.ours == nil, known.form && has && !theirs.wellFormed:
			return []string{known.reason}
		case has && !known.form:
			reasons = append(reasons, known.reason)
			remaining = slices.DeleteFunc(remaining, known.ours.MatchString)
		}
	}
	rest := verdict{wellFormed: !slices.ContainsFunc(remaining, isOfForm), valid: len(remaining) == 0}
	if rest.agrees(theirs) || !ours.wellFormed && rest.wellFormed && theirs.wellFormed {
		return reasons
	}
	return nil
}

// allOf returns the text of the document and of the files that it refers to.
func allOf(t *testing.T, document string) string {
	t.Helper()
	stem := strings.TrimSuffix(document, ".xml")
	files := []string{document}
	for _, pattern := range []string{".dtd", "-*"} {
		more, err := filepath.Glob(stem + pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&all, "--- %s\n%s\n", filepath.Base(file), text)
	}
	return all.String()
}
