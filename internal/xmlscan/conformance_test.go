package xmlscan

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// conformanceCase is one case of the W3C XML conformance suite.
type conformanceCase struct {
	ID       string `xml:"ID,attr"`
	Type     string `xml:"TYPE,attr"`
	URI      string `xml:"URI,attr"`
	Edition  string `xml:"EDITION,attr"`
	Version  string `xml:"VERSION,attr"`
	Entities string `xml:"ENTITIES,attr"`
	file     string
}

// TestConformance decides the well-formedness of every case of the W3C suite that is about the document itself. Errors
// in external entities need fetching, which this test does not do.
func TestConformance(t *testing.T) {
	cases := conformanceCases(t)
	decided := map[string]int{}
	for _, c := range cases {
		applies := c.Edition == "" || strings.Contains(c.Edition, "5")
		if !applies || c.Version == "1.1" || c.Type == "error" || c.Type == "not-wf" && c.Entities != "none" &&
			c.Entities != "" {
			continue
		}
		text, err := os.ReadFile(c.file)
		if err != nil {
			t.Fatal(err)
		}
		err = scanAll(New(bytes.NewReader(text), Options{}))
		if wellFormed := err == nil; wellFormed != (c.Type != "not-wf") {
			t.Errorf("%s is %s, but the scanner says: %v (%s)", c.ID, c.Type, err, c.file)
		}
		decided[c.Type]++
		if one := scanAll(New(bytes.NewReader(text), Options{BufferSize: 1})); (one == nil) != (err == nil) {
			t.Errorf("%s: read in small pieces the scanner says: %v, and else: %v", c.ID, one, err)
		}
	}
	t.Logf("decided as the suite says: %v", decided)
}

func scanAll(s *Scanner) error {
	for {
		if token, err := s.Next(); err != nil || token == End {
			return err
		}
	}
}

// conformanceCases reads the suite's own lists.
func conformanceCases(t *testing.T) (cases []conformanceCase) {
	suite := os.Getenv("TRCX_XMLCONF")
	if suite == "" {
		t.Skip("SKIPPED: TRCX_XMLCONF names no folder with the W3C XML conformance suite; www.w3.org/XML/Test has it")
	}
	for _, list := range []string{"xmltest/xmltest.xml", "sun/sun-valid.xml", "sun/sun-invalid.xml",
		"sun/sun-not-wf.xml", "oasis/oasis.xml"} {
		path := filepath.Join(suite, list)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		decoder := xml.NewDecoder(bytes.NewReader(text))
		decoder.Strict = false
		for {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			start, ok := token.(xml.StartElement)
			if !ok || start.Name.Local != "TEST" {
				continue
			}
			var c conformanceCase
			for _, a := range start.Attr {
				switch a.Name.Local {
				case "ID":
					c.ID = a.Value
				case "TYPE":
					c.Type = a.Value
				case "URI":
					c.URI = a.Value
				case "EDITION":
					c.Edition = a.Value
				case "VERSION":
					c.Version = a.Value
				case "ENTITIES":
					c.Entities = a.Value
				}
			}
			c.file = filepath.Join(filepath.Dir(path), c.URI)
			cases = append(cases, c)
		}
	}
	return cases
}
