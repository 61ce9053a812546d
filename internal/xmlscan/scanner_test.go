package xmlscan

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
)

// tokens lists everything that a scanner reports about an input, one token a line.
func tokens(s *Scanner) string {
	var b strings.Builder
	for {
		token, err := s.Next()
		if err != nil {
			fmt.Fprintf(&b, "error %v\n", err)
			return b.String()
		}
		position := s.Position()
		fmt.Fprintf(&b, "%d@%d ", position.Line, position.Column)
		if s.Offset() != position.Offset {
			fmt.Fprintf(&b, "OFFSETS %d %d ", s.Offset(), position.Offset)
		}
		switch token {
		case End:
			b.WriteString("end\n")
			return b.String()
		case StartTag:
			fmt.Fprintf(&b, "start %s", s.TextOf(s.Name()))
			for i := range s.Attributes() {
				a := &s.Attributes()[i]
				fmt.Fprintf(&b, " %s=%q", s.TextOf(a.Name), s.Value(a))
			}
			if s.Empty() {
				b.WriteString(" /")
			}
			if s.Plain() {
				b.WriteString(" plain")
			}
		case EndTag:
			fmt.Fprintf(&b, "end %s", s.TextOf(s.Name()))
		case Text:
			fmt.Fprintf(&b, "text %q %v", s.Text(), s.Literal())
		case Comment:
			fmt.Fprintf(&b, "comment %q", s.Text())
		case Instruction:
			fmt.Fprintf(&b, "instruction %q", s.Text())
		case Declaration:
			b.WriteString("declaration")
		case DoctypeDecl:
			fmt.Fprintf(&b, "doctype %s", s.Doctype().Name)
		case Skipped:
			fmt.Fprintf(&b, "skipped %s", s.Text())
		}
		b.WriteByte('\n')
	}
}

func scanText(text string, options Options) string {
	return tokens(New(strings.NewReader(text), options))
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"an element", `<a/>`, "1@1 start a / plain\n1@5 end\n"},
		{"attributes", `<a x="1" y="2"/>`, "1@1 start a x=\"1\" y=\"2\" / plain\n1@17 end\n"},
		{"unusual white space", "<a  x = '1'\ty=\"2\" />", "1@1 start a x=\"1\" y=\"2\" /\n1@21 end\n"},
		{"references in a value", `<a x="&lt;&#65;&#x42;&quot;"/>`, "1@1 start a x=\"<AB\\\"\" /\n1@31 end\n"},
		{"white space in a value", "<a x=\"1\t2\r\n3\n4\"/>", "1@1 start a x=\"1 2 3 4\" /\n3@5 end\n"},
		{"character references are not normalised", `<a x="&#10;&#9;"/>`, "1@1 start a x=\"\\n\\t\" /\n1@19 end\n"},
		{"text", "<a>b\r\nc&amp;d</a>",
			"1@1 start a\n1@4 text \"b\\nc\" true\n2@2 text \"&\" false\n2@7 text \"d\" true\n2@8 end a\n2@12 end\n"},
		{"CDATA", "<a><![CDATA[<&]]]></a>", "1@1 start a\n1@4 text \"<&]\" false\n1@19 end a\n1@23 end\n"},
		{"comment and instruction", "<!-- x --><?y z?><a/>",
			"1@1 comment \" x \"\n1@11 instruction \"y z\"\n1@18 start a / plain\n1@22 end\n"},
		{"columns are code points", `<a x="é😀"/><!---->`,
			"1@1 start a x=\"é😀\" / plain\n1@12 comment \"\"\n1@19 end\n"},
		{"internal entity", `<!DOCTYPE a [<!ENTITY e "<b>1</b>">]><a>&e;</a>`,
			"1@1 doctype a\n1@38 start a\n1@41 start b\n1@41 text \"1\" true\n1@41 end b\n1@44 end a\n1@48 end\n"},
		{"entity in a value", `<!DOCTYPE a [<!ENTITY e "1&#38;amp;2">]><a x="&e;"/>`,
			"1@1 doctype a\n1@41 start a x=\"1&2\" /\n1@53 end\n"},
		{"defaults and types",
			`<!DOCTYPE a [<!ATTLIST a x NMTOKENS #IMPLIED y CDATA "d" z CDATA #FIXED "f">]><a x="  1   2 "/>`,
			"1@1 doctype a\n1@79 start a x=\"1 2\" y=\"d\" z=\"f\" /\n1@96 end\n"},
		{"a name that begins like another one", `<a A="1"><Aé Aé="2" A="3"/></a>`,
			"1@1 start a A=\"1\"\n1@10 start Aé Aé=\"2\" A=\"3\" / plain\n1@28 end a\n1@32 end\n"},
		{"an entity that may be declared elsewhere", `<!DOCTYPE a SYSTEM "a.dtd"><a x="&e;">&e;</a>`,
			"1@1 doctype a\n1@28 start a x=\"\"\n1@39 skipped &e;\n1@42 end a\n1@46 end\n"},
	} {
		got := scanText(c.text, Options{})
		if got != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", c.name, c.text, got, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{``, "1:1: the input ends before its first element"},
		{`<a`, "1:3: the input ends in the middle of a start tag"},
		{`<a>`, "1:4: the input ends before </a>"},
		{"<a>\n<b></a>", "2:4: </a> where </b> is expected"},
		{`<a/><b/>`, "1:5: a second element after the end of the document"},
		{`<a/>b`, "1:5: text after the end of the document"},
		{`b<a/>`, "1:1: text outside of any element; an element, which begins with <, is expected here"},
		{`<a x="1" x="2"/>`, "1:13: the attribute x occurs twice in one element"},
		{`<a x=1/>`, "1:6: the value of x must be in quotes"},
		{`<a x/>`, `1:5: the attribute x has no value; ="…" is expected here`},
		{`<a x="1"y="2"/>`, "1:9: 'y': white space and an attribute, or the end of the tag, is expected here"},
		{`<a x="<"/>`, "1:7: '<' is not allowed in the value of an attribute (write &lt;, or close the quotes)"},
		{`<a x="&e;"/>`, "1:7: the entity &e; is not declared (write &amp; for the character '&')"},
		{`<a x="a & b"/>`, "1:10: '&' begins a reference, and a name must follow it (write &amp; for the character)"},
		{`<a x="&#0;"/>`, "1:7: &#0; is a character that is not allowed in XML"},
		{"<a x=\"\x00\"/>", "1:7: the control character U+0000 is not allowed in XML"},
		{"<a x=\"\xff\"/>", "1:7: not valid UTF-8"},
		{"<a>]]></a>", "1:4: ]]> is not allowed in text (write ]]&gt;)"},
		{"<a><!-- -- --></a>", "1:11: -- is not allowed in a comment"},
		{"<a></a >junk", "1:9: text after the end of the document"},
		{" <?xml version='1.0'?><a/>",
			"1:2: an XML declaration (<?xml …?>) is only allowed at the very beginning of the document"},
		{"<?xml version='1.0' encoding='EBCDIC'?><a/>",
			"1:31: the encoding EBCDIC is not known; trcx reads UTF-8, UTF-16, ISO-8859-1 and US-ASCII (recode the " +
				"file, for example with iconv)"},
		{"<?xml version='1.0' encoding='US-ASCII'?><a x='é'/>",
			"1:48: byte 0xC3 in a document that says it is US-ASCII"},
		{"<!DOCTYPE a [<!ENTITY e '&e;'>]><a>&e;</a>", "1:36: the entity e refers to itself"},
		{"<!DOCTYPE a [<!ENTITY e '<b>'>]><a>&e;</b></a>",
			"1:36: the entity e does not close the element <b> that it opens"},
		{"<!DOCTYPE a [<!ELEMENT a (b>]><a/>", "1:28: in a declaration: ',', '|' or ')' is expected here"},
		{"<a>" + strings.Repeat("<b>", 256), "1:769: more than 256 elements inside each other (limit: Options.Limits.Depth)"},
		{"<" + strings.Repeat("n", 2000) + "/>", "1:2: a name of more than 1024 bytes (limit: Options.Limits.Name)"},
		{"<a x=\"" + strings.Repeat("n", 2<<20) + "\"/>",
			"1:7: the value of x has more than 1048576 bytes (limit: Options.Limits.Value)"},
		{"<a>" + strings.Repeat("n", 2<<20) + "</a>", "1:4: text of more than 1048576 bytes (limit: Options.Limits.Value)"},
		{"<a><!--" + strings.Repeat("n", 2<<20) + "--></a>",
			"1:4: a comment of more than 1048576 bytes (limit: Options.Limits.Value)"},
		{"\xff\xfe\x00\x00", "1:1: the input is in UTF-32; trcx reads UTF-8, UTF-16, ISO-8859-1 and US-ASCII"},
	} {
		for _, size := range []int{0, 1} {
			got := scanText(c.text, Options{BufferSize: size})
			got = strings.TrimSuffix(got[strings.LastIndex(got, "error ")+len("error "):], "\n")
			if got != c.want {
				t.Errorf("%.60s (buffer %d)\n got %s\nwant %s", c.text, size, got, c.want)
			}
		}
	}
}

func TestManyAttributes(t *testing.T) {
	var b strings.Builder
	b.WriteString("<a")
	for i := range 257 {
		fmt.Fprintf(&b, ` x%d=""`, i)
	}
	got := scanText(b.String()+"/>", Options{})
	if !strings.Contains(got, "an element of more than 256 attributes (limit: Options.Limits.Attributes)") {
		t.Error(got)
	}
}

func TestEntityExpansionIsBounded(t *testing.T) {
	laughs := `<!DOCTYPE a [<!ENTITY e0 "ha">`
	for i := range 30 {
		laughs += fmt.Sprintf(`<!ENTITY e%d "&e%d;&e%d;">`, i+1, i, i)
	}
	for _, use := range []string{`<a>&e30;</a>`, `<a x="&e30;"/>`} {
		got := scanText(laughs+"]>"+use, Options{})
		if !strings.Contains(got, "limit: Options.Limits.EntityExpansion") {
			t.Errorf("%s: %.300s", use, got)
		}
	}
}

func TestEncodings(t *testing.T) {
	const body = "<a x=\"é\">ü\U0001F600</a>"
	want := "start a x=\"é\" text \"ü😀\""
	wide := func(text string, big bool) []byte {
		var out []byte
		for _, unit := range utf16.Encode([]rune(text)) {
			if big {
				out = append(out, byte(unit>>8), byte(unit))
			} else {
				out = append(out, byte(unit), byte(unit>>8))
			}
		}
		return out
	}
	for name, text := range map[string][]byte{
		"UTF-8":                  []byte(body),
		"UTF-8, marked":          []byte("\xEF\xBB\xBF" + body),
		"UTF-16, big, marked":    append([]byte("\xFE\xFF"), wide(body, true)...),
		"UTF-16, little, marked": append([]byte("\xFF\xFE"), wide(body, false)...),
		"UTF-16, big":            wide(`<?xml version="1.0" encoding="UTF-16"?>`+body, true),
		"UTF-16, little":         wide(body, false),
		"ISO-8859-1":             []byte("<?xml version='1.0' encoding='ISO-8859-1'?><a x=\"\xe9\">\xfc&#x1F600;</a>"),
	} {
		for _, size := range []int{0, 1} {
			s := New(iotest.OneByteReader(bytes.NewReader(text)), Options{BufferSize: size})
			var got strings.Builder
			for {
				token, err := s.Next()
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if token == End {
					break
				}
				switch token {
				case StartTag:
					fmt.Fprintf(&got, "start a x=%q text \"", s.Value(&s.Attributes()[0]))
				case Text:
					got.Write(s.Text())
				}
			}
			if got.String() != want+"" && got.String()+`"` != want {
				t.Errorf("%s: got %s", name, got.String())
			}
			if at := s.Position().Offset; at != int64(len(text)) {
				t.Errorf("%s: the end is at %d of %d bytes", name, at, len(text))
			}
		}
	}
}

func TestResume(t *testing.T) {
	const text = "<t><a x='1'/><a x=1/><b/><a x='3'/></t>"
	s := New(strings.NewReader(text), Options{BufferSize: 1})
	var got []string
	for {
		token, err := s.Next()
		var wrong *SyntaxError
		switch {
		case errors.As(err, &wrong):
			got = append(got, "error")
			if !s.Resume(1, func(name []byte) bool { return string(name) == "a" }) {
				t.Fatal("no way to go on")
			}
			continue
		case err != nil:
			t.Fatal(err)
		case token == StartTag:
			got = append(got, s.TextOf(s.Name()))
		}
		if token == End {
			break
		}
	}
	if want := "t a error a"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// TestErrorsInsideEntities: an entity with an error can be referred to again.
func TestErrorsInsideEntities(t *testing.T) {
	s := New(strings.NewReader(`<!DOCTYPE t [<!ENTITY e "<b>">]><t><a>&e;</a><a>&e;</a></t>`), Options{})
	for range 2 {
		err := scanAll(s)
		if err == nil || !strings.Contains(err.Error(), "the entity e does not close the element <b>") {
			t.Errorf("%v", err)
		}
		s.Resume(1, func(name []byte) bool { return string(name) == "a" })
	}
}

// FuzzChunks checks that tokens depend neither on the sizes of reads nor on templates.
func FuzzChunks(f *testing.F) {
	for _, seed := range seeds {
		f.Add(seed, uint8(3))
	}
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		whole := scanText(text, Options{})
		pieces := tokens(New(&pieceReader{text: text, size: int(size%7) + 1}, Options{BufferSize: int(size)}))
		if whole != pieces {
			t.Errorf("%q\nas a whole: %s\nin pieces: %s", text, whole, pieces)
		}
		for _, again := range []int{1, 5} { // a template is learned from the first tag, a pattern from the second
			repeated := strings.Repeat(text, again)
			with := scanText(repeated, Options{Fragments: true})
			if without := scanText(repeated, Options{Fragments: true, NoTemplates: true}); with != without {
				t.Errorf("%q\nwith templates: %s\nwithout: %s", repeated, with, without)
			}
		}
		if !strings.Contains(whole, "\nerror ") && !strings.HasPrefix(whole, "error ") &&
			strings.Contains(whole, "OFFSETS") {
			t.Errorf("%q: %s", text, whole)
		}
	})
}

var seeds = []string{
	`<TRACE><monWait threadIdRef="1" time="1.5" objIdRef="-1"/></TRACE>`,
	`<a x='1'  y = "2"><!-- c --><?p i?><![CDATA[d]]>&amp;&#65;</a>`,
	`<!DOCTYPE a [<!ENTITY e "<b/>"><!ENTITY % p "<!ENTITY q '1'>">%p;<!ATTLIST a x CDATA "1"><!ELEMENT a (b|c)*>]><a y="&q;">&e;</a>`,
	"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>", "\xff\xfe<\x00a\x00/\x00>\x00", "<a>\r\n</a>\n",
	"<a><b></a>", "<\u00e9/>",
	`<a x="` + strings.Repeat("longer than a word ", 5) + `" x="2"/>`,
}

type pieceReader struct {
	text string
	size int
}

func (r *pieceReader) Read(p []byte) (int, error) {
	if r.text == "" {
		return 0, io.EOF
	}
	n := copy(p, r.text[:min(r.size, len(r.text))])
	r.text = r.text[n:]
	return n, nil
}

// FuzzAgainstEncodingXML compares the scanner with Go's decoder on what both support. What the scanner accepts, the
// decoder accepts, with the same elements, attributes and text. (The decoder accepts far more.)
func FuzzAgainstEncodingXML(f *testing.F) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "<!DOCTYPE") || strings.Contains(text, ":") || strings.Contains(text, "xmlns") {
			return // not both support declarations and namespaces
		}
		ours, err := outline(New(strings.NewReader(text), Options{}))
		if err != nil || !plainText(text) {
			return
		}
		theirs, err := outlineOf(xml.NewDecoder(strings.NewReader(text)))
		if err != nil {
			t.Fatalf("%q is accepted, but encoding/xml says %v", text, err)
		}
		if ours != theirs {
			t.Fatalf("%q\nours   %s\ntheirs %s", text, ours, theirs)
		}
	})
}

// plainText reports whether both the scanner and encoding/xml support a text. encoding/xml knows the names of the
// second edition and one encoding only, and does not normalise white space in values.
func plainText(text string) bool {
	if strings.Contains(text, "encoding") || strings.Contains(text, "<?") {
		return false
	}
	for i := range len(text) {
		if text[i] >= 0x80 || text[i] < ' ' {
			return false
		}
	}
	return true
}

func outline(s *Scanner) (string, error) {
	var b, text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			fmt.Fprintf(&b, "%q ", text.String())
			text.Reset()
		}
	}
	for {
		token, err := s.Next()
		if err != nil {
			return "", err
		}
		if token == Text {
			text.Write(s.Text())
			continue
		}
		flush()
		switch token {
		case End:
			return b.String(), nil
		case StartTag:
			fmt.Fprintf(&b, "<%s", s.TextOf(s.Name()))
			for i := range s.Attributes() {
				a := &s.Attributes()[i]
				fmt.Fprintf(&b, " %s=%q", s.TextOf(a.Name), s.Value(a))
			}
			b.WriteString("> ")
			if s.Empty() {
				fmt.Fprintf(&b, "</%s> ", s.TextOf(s.Name()))
			}
		case EndTag:
			fmt.Fprintf(&b, "</%s> ", s.TextOf(s.Name()))
		}
	}
}

func outlineOf(d *xml.Decoder) (string, error) {
	var b strings.Builder
	var text strings.Builder
	depth := 0
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return b.String(), nil
		}
		if err != nil {
			return "", err
		}
		if data, ok := token.(xml.CharData); ok {
			if depth > 0 {
				text.Write(data)
			}
			continue
		}
		if text.Len() > 0 {
			fmt.Fprintf(&b, "%q ", text.String())
			text.Reset()
		}
		switch token := token.(type) {
		case xml.StartElement:
			depth++
			fmt.Fprintf(&b, "<%s", token.Name.Local)
			for _, a := range token.Attr {
				fmt.Fprintf(&b, " %s=%q", a.Name.Local, a.Value)
			}
			b.WriteString("> ")
		case xml.EndElement:
			depth--
			fmt.Fprintf(&b, "</%s> ", token.Name.Local)
		}
	}
}
