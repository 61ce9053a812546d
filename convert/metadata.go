package convert

import (
	"archive/zip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trcx/trcx/convert/monlog"
	"github.com/trcx/trcx/trace"
)

// Monlog is the name of the format of logs that have a metadata file.
const Monlog = "monlog"

func readMonlog(ctx context.Context, in *source, session int, r *reading, document Document) (trace.Ending, error) {
	metadata, err := r.metadataOf(ctx, document)
	if err != nil {
		return trace.Ending{}, err
	}
	return monlog.Read(ctx, in, metadata, r.builderOptions(session, document), r.sink.Put)
}

// metadataOf reads the metadata of a monitor log: from the named file, or from one next to the log. It returns nil if
// there is no such file.
func (r *reading) metadataOf(ctx context.Context, document Document) (*monlog.Metadata, error) {
	if r.options.Metadata != "" {
		return r.readMetadataFile(ctx, document.Name, r.options.Metadata)
	}
	if document.metadata != nil {
		if document.guessed {
			r.reportGuess(document, document.metadata.Name)
		}
		return r.readMetadata(ctx, document.Name, document.metadata)
	}
	if document.file == "" {
		return nil, nil
	}
	for _, candidate := range metadataNames(document.file) {
		info, err := os.Stat(candidate.name)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		metadata, err := r.readMetadataFile(ctx, document.Name, candidate.name)
		var other *InputError
		switch {
		case errors.As(err, &other):
			continue // it has the name of a metadata file, but not its content
		case err == nil && !candidate.obvious:
			r.reportGuess(document, candidate.name)
		}
		return metadata, err
	}
	return nil, nil
}

func (r *reading) reportGuess(document Document, metadata string) {
	r.report(document.Name, trace.Finding{Rule: monlog.RuleMetadata, Severity: trace.Warning,
		Option: optionMetadata,
		Place:  trace.Place{Line: 1, Column: 1},
		Message: "the metadata of this log is taken from " + metadata +
			", which lies next to it; " + optionMetadata + " names another file"})
}

// MetadataFiles returns the files that can have the metadata of a monitor log: the named one or, if named is "", files
// next to the log.
func MetadataFiles(log, named string) (files []string) {
	if named != "" {
		return []string{named}
	}
	for _, candidate := range metadataNames(log) {
		files = append(files, candidate.name)
	}
	return files
}

// readMetadataFile reads the metadata file of the name. The error is an *InputError if the document cannot be read or
// has other content.
func (r *reading) readMetadataFile(ctx context.Context, log, name string) (*monlog.Metadata, error) {
	inputs, err := OpenInputs([]string{name}, nil, 0)
	if err != nil {
		return nil, err
	}
	defer inputs.Close()
	return r.readMetadata(ctx, log, &inputs.Documents[0])
}

// readMetadata reads a document as the metadata of a log. The error is an *InputError if the document cannot be read or
// has other content.
func (r *reading) readMetadata(ctx context.Context, log string, document *Document) (*monlog.Metadata, error) {
	name := document.Name
	head, text, err := document.Open()
	if err != nil {
		return nil, err
	}
	defer text.Close()
	if !monlog.RecognisesMetadata(head) {
		return nil, &InputError{name, errors.New("this is no metadata file of a monitor log: none of its first lines " +
			"describes a class (Lapp/Main;,Main.java) or a method (0012AB34,run,()V,Lapp/Main;,-1)")}
	}
	r.usesMetadata(name)
	metadata, err := monlog.ReadMetadata(ctx, text, func(finding trace.Finding) {
		finding.File = name
		r.report(log, finding)
	})
	if err != nil && ctx.Err() == nil {
		return nil, &InputError{name, err}
	}
	return metadata, err
}

// paired returns the documents of a zip without entries that are the metadata of a monitor log next to them.
func paired(entries []*zip.File, documents []Document) []Document {
	byName := map[string]int{}
	for at, entry := range entries {
		byName[entry.Name] = at
	}
	metadata := map[int]bool{}
	for at, entry := range entries {
		if of, obvious := metadataEntry(entry, entries, byName); of >= 0 {
			documents[at].metadata, documents[at].guessed, metadata[of] = &documents[of], !obvious, true
		}
	}
	var logs []Document
	for at := range documents {
		if !metadata[at] {
			logs = append(logs, documents[at])
		}
	}
	return logs
}

// metadataEntry returns the index of the entry with the metadata of the log, or -1, and whether its name shows this.
func metadataEntry(log *zip.File, entries []*zip.File, byName map[string]int) (of int, obvious bool) {
	read := false
	for _, candidate := range metadataNames(log.Name) {
		at, ok := byName[filepath.ToSlash(candidate.name)]
		if !ok || entries[at] == log {
			continue
		}
		if !read && !monlog.Recognises(headOf(log)) {
			break
		}
		if read = true; monlog.RecognisesMetadata(headOf(entries[at])) {
			return at, candidate.obvious
		}
	}
	return -1, false
}

// headOf returns the beginning of an entry of a zip; nil if it cannot be read.
func headOf(entry *zip.File) []byte {
	if entry.Flags&encrypted != 0 {
		return nil
	}
	in, err := entry.Open()
	if err != nil {
		return nil
	}
	defer in.Close()
	head, _, _ := readHead(in)
	return head
}

// metadataName is a name that a metadata file may have.
type metadataName struct {
	name    string
	obvious bool // it contains the name of the log
}

// metadataNames are the names that the metadata file of a log may have, the likeliest first.
func metadataNames(log string) (names []metadataName) {
	plain := log
	for _, compressed := range []string{".gz", ".zst"} {
		plain = strings.TrimSuffix(plain, compressed)
	}
	ending := filepath.Ext(plain)
	stem := strings.TrimSuffix(plain, ending)
	folder := filepath.Dir(plain)
	for _, name := range []string{stem + ".meta" + ending, plain + ".meta", stem + ".meta", stem + "-meta" + ending,
		stem + "_meta" + ending, stem + ".metadata" + ending, stem + ".metadata"} {
		names = append(names, metadataName{name, true})
	}
	for _, name := range []string{"meta" + ending, "metadata" + ending, "meta.log", "meta.txt", "meta.csv", "meta",
		"metadata"} {
		names = append(names, metadataName{filepath.Join(folder, name), false})
	}
	for _, n := range slices.Clone(names) {
		names = append(names, metadataName{n.name + ".gz", n.obvious}, metadataName{n.name + ".zst", n.obvious})
	}
	return names
}
