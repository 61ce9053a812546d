package monlog

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// Metadata is the content of a metadata file.
type Metadata struct {
	sources map[string]string // source files of classes, by name
	methods map[uint64]*method
}

// method is a method of the metadata.
type method struct {
	builder.Method
	lines   []lineEntry // in the order of locations
	line    int         // of the metadata file
	defined bool        // in the trace
}

// lineEntry is the line of the code from a location on.
type lineEntry struct {
	location uint64
	line     int32
}

// maxMetadata limits the size of a metadata file in bytes.
const maxMetadata = 256 << 20

// ReadMetadata reads a metadata file. Damage is reported as findings, and the rest is used. It returns errors of in and
// ctx.
func ReadMetadata(ctx context.Context, in io.Reader, report func(trace.Finding)) (*Metadata, error) {
	m := &metadataReader{lines: builder.NewLines(in), report: report, Metadata: &Metadata{
		sources: map[string]string{}, methods: map[uint64]*method{}}}
	for {
		more, err := m.lines.Next()
		switch {
		case err != nil:
			return nil, err
		case more && m.lines.Offset > maxMetadata:
			m.wrong(RuleMetadata, 0, fmt.Sprintf("limit of %d MiB for metadata reached; the rest is skipped",
				maxMetadata>>20))
			more = false
		}
		if !more {
			for _, method := range m.methods { // the lines of classes may follow those of methods
				method.Class.Source = m.sources[method.Class.Name]
			}
			return m.Metadata, nil
		}
		if m.lines.Number%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m.read(m.lines.Line)
	}
}

type metadataReader struct {
	*Metadata
	lines  *builder.Lines
	report func(trace.Finding)
}

func (m *metadataReader) wrong(rule string, at int, message string) {
	m.report(m.lines.Finding(rule, trace.Error, at, message))
}

func (m *metadataReader) wrongClass(at int, signature []byte) {
	m.wrong(ruleSignature, at, sanitize.Quote(signature)+
		" is not the signature of a class, such as Ljava/lang/Object;; it is used as the name")
}

// read reads a line: a class has two fields, a method four or more.
func (m *metadataReader) read(line []byte) {
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	if m.lines.TooLong {
		m.wrong(RuleMetadata, 0, fmt.Sprintf("the line has more than %d bytes; it is skipped", builder.MaxLine))
		return
	}
	switch fields := bytes.Count(line, []byte{','}) + 1; {
	case fields == 2:
		m.class(line)
	case fields >= 4:
		m.method(line)
	default:
		m.wrong(RuleMetadata, 0, fmt.Sprintf("the line has %s; want two for a class (SIGNATURE,FILE), four or more for "+
			"a method (ID,NAME,SIGNATURE,CLASS,LINES)", phrase.Count(fields, "field")))
	}
}

func (m *metadataReader) class(line []byte) {
	signature, source, _ := bytes.Cut(line, []byte{','})
	name, ok := className(string(bytes.TrimSpace(signature)))
	if !ok {
		m.wrongClass(0, signature)
	}
	m.sources[name] = string(bytes.TrimSpace(source))
}

func (m *metadataReader) method(line []byte) {
	idText, at := field(line, 0)
	id, ok := hexadecimal(idText)
	if !ok {
		m.wrong(ruleHex, 0, "the method id "+sanitize.Quote(idText)+" is "+describeHex(idText, "")+
			"; the method is skipped")
		return
	}
	name, signatureAt := field(line, at)
	signature, classAt := field(line, signatureAt)
	class, linesAt := field(line, classAt)
	read := &method{line: m.lines.Number}
	read.Name, read.Signature = string(bytes.TrimSpace(name)), string(bytes.TrimSpace(signature))
	if read.Signature != "" && !isMethodSignature(read.Signature) {
		m.wrong(ruleSignature, signatureAt, sanitize.Quote(signature)+
			" is not the signature of a method, such as (I)V; the method is used without it")
		read.Signature = ""
	}
	if read.Class.Name, ok = className(string(bytes.TrimSpace(class))); !ok {
		m.wrongClass(classAt, class)
	}
	if linesAt < len(line) {
		read.lines = m.lineTable(line, linesAt)
	}
	if before := m.methods[id]; before != nil && before.Method != read.Method {
		m.wrong(RuleMetadata, 0, fmt.Sprintf("the method id %016X names %s.%s in line %d, too; the later method is "+
			"used", id, before.Class.Name, before.Name, before.line))
	}
	m.methods[id] = read
}

// lineTable reads the line table at an offset.
func (m *metadataReader) lineTable(line []byte, at int) []lineEntry {
	text, next := field(line, at)
	entries, err := strconv.Atoi(string(bytes.TrimSpace(text)))
	switch {
	case err != nil || entries < -1:
		m.wrong(ruleLines, at, "invalid number of line table entries "+sanitize.Quote(text)+
			": want a decimal number, or -1 for no table; the table is skipped")
		return nil
	case entries == -1:
		return nil
	}
	var table []lineEntry
	for next <= len(line) {
		begin := next
		location, lineAt := field(line, next)
		if lineAt > len(line) {
			if len(bytes.TrimSpace(location)) > 0 {
				m.wrong(ruleLines, begin, "the location "+sanitize.Quote(location)+" has no line; it is skipped")
			}
			break
		}
		number, end := field(line, lineAt)
		start, ok := hexadecimal(location)
		of, err := strconv.ParseInt(string(bytes.TrimSpace(number)), 10, 32)
		if next = end; !ok || err != nil || of < 0 {
			m.wrong(ruleLines, begin, "invalid line table entry "+sanitize.Quote(line[begin:min(end-1, len(line))])+
				": want a hexadecimal location and a decimal line such as 0000001A,42; it is skipped")
			continue
		}
		table = append(table, lineEntry{start, int32(of)})
	}
	if len(table) != entries {
		m.wrong(ruleLines, at, fmt.Sprintf("the line table claims %d entries and has %s; these are used", entries,
			phrase.Count(len(table), "line")))
	}
	slices.SortStableFunc(table, func(a, b lineEntry) int { return cmp.Compare(a.location, b.location) })
	return table
}

// lineAt returns the line of the location, or trace.NoLine.
func (m *method) lineAt(location uint64) int32 {
	at, found := slices.BinarySearchFunc(m.lines, location, func(e lineEntry, location uint64) int {
		return cmp.Compare(e.location, location)
	})
	switch {
	case location == native || location == native32:
		return trace.NoLine
	case found:
		return m.lines[at].line
	case at == 0:
		return trace.NoLine
	}
	return m.lines[at-1].line
}

// native and native32 are the locations of native methods: -1 in 64 bits and in 32.
const native, native32 = 1<<64 - 1, 1<<32 - 1

// bounds returns the first and the last line of the method. ok is false for a method without lines.
func (m *method) bounds() (first, last uint64, ok bool) {
	if len(m.lines) == 0 {
		return 0, 0, false
	}
	least, most := m.lines[0].line, m.lines[0].line
	for _, e := range m.lines {
		least, most = min(least, e.line), max(most, e.line)
	}
	return uint64(least), uint64(most), true
}

// className returns the name of the class of a signature: java/lang/Object for Ljava/lang/Object;. The name of an array
// class is its signature. It returns an invalid signature unchanged.
func className(signature string) (name string, ok bool) {
	ok = isMethodSignature("()" + signature)
	if ok && signature[0] == 'L' {
		return signature[1 : len(signature)-1], true
	}
	return signature, ok
}

// isMethodSignature reports whether the text is the descriptor of a method.
func isMethodSignature(text string) bool {
	_, ok := javaname.Signature(text)
	return ok
}
