package xmlscan

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// TestAgainstXmllint changes small documents at random and compares with xmllint which results are well-formed.
func TestAgainstXmllint(t *testing.T) {
	xmllint := testtool.Need(t, "xmllint")
	folder := t.TempDir()
	texts := map[string]string{}
	random := rand.New(rand.NewPCG(5, 5))
	for i := range 2000 {
		text := changed(random, differentialSeeds[i%len(differentialSeeds)])
		name := filepath.Join(folder, fmt.Sprintf("%d.xml", i))
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		texts[name] = text
	}
	refused := refusedBy(t, xmllint, folder)
	accepted := 0
	for name, text := range texts {
		ours := scanAll(New(strings.NewReader(text), Options{}))
		if ours == nil {
			accepted++
		}
		if (ours != nil) != refused[name] && !knownDifference(text) {
			t.Errorf("%q\nxmllint refuses it: %v; the scanner says: %v", text, refused[name], ours)
		}
	}
	if accepted < 200 || accepted > 1800 {
		t.Errorf("%d of 2000 documents are well-formed; that tests little", accepted)
	}
}

var differentialSeeds = []string{
	`<a x="1" y='2'><b/>text &amp; &#65; <![CDATA[x]]><!-- c --></a>`,
	`<?xml version="1.0"?><a><?p i?><b z = "&lt;"></b ></a>`,
	`<!DOCTYPE a [<!ELEMENT a (b|c)*><!ATTLIST a x CDATA "1" y (p|q) #IMPLIED><!ENTITY e "<b>1</b>"><!-- d -->]><a>&e;</a>`,
	`<!DOCTYPE a [<!ENTITY % p "<!ENTITY f 'g'>"> %p; <!NOTATION n SYSTEM "n"><!ELEMENT a (#PCDATA|b)*>]><a q="&f;"/>`,
	"<a>\n  <b\tx='1'\n/>\r\n</a>\n",
	`<é e="1" eé="2"><eé/><e/>ü<é x="😀"/></é>`,
}

// changed changes the text in a few places.
func changed(random *rand.Rand, text string) string {
	const pieces = `<>/!?-[]&;#x="' ab1%()|,*` + "\n"
	for range 1 + random.IntN(2) {
		at := random.IntN(len(text))
		switch random.IntN(4) {
		case 0: // drop a character
			text = text[:at] + text[at+1:]
		case 1: // put one in
			text = text[:at] + string(pieces[random.IntN(len(pieces))]) + text[at:]
		case 2: // put another one there
			text = text[:at] + string(pieces[random.IntN(len(pieces))]) + text[at+1:]
		case 3: // repeat a part
			end := at + random.IntN(min(12, len(text)-at)+1)
			text = text[:end] + text[at:end] + text[end:]
		}
	}
	return text
}

var complaint = regexp.MustCompile(`(?m)^(\S+\.xml):\d+: .*error`)

// refusedBy returns the files that xmllint complains about.
func refusedBy(t *testing.T, xmllint, folder string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.xml"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(xmllint, append([]string{"--noout", "--nonet"}, files...)...).CombinedOutput()
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) {
		t.Fatal(err)
	}
	refused := map[string]bool{}
	for _, match := range complaint.FindAllStringSubmatch(string(out), -1) {
		refused[match[1]] = true
	}
	return refused
}

// knownDifference reports whether xmllint is known to deviate from the recommendation here.
func knownDifference(text string) bool {
	for _, difference := range []*regexp.Regexp{
		regexp.MustCompile(`:`),             // it knows namespaces
		regexp.MustCompile(`<!DOCTYPE\S`),   // it does not require the space (production 28)
		regexp.MustCompile(`version="1\."`), // it accepts 1. as a version (production 26)
		// it requires declarations after a reference to a parameter entity (section 4.1, Entity Declared)
		regexp.MustCompile(`(?s)%\w+;.*&\w`),
	} {
		if difference.MatchString(text) {
			return true
		}
	}
	return false
}
