package convert

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trcx/trcx/convert/monlog"
	"github.com/trcx/trcx/trace"
)

func readMonlog(ctx context.Context, in io.Reader, session int, options Options, document Document, take func(*trace.Event) error) (trace.Ending, error) {
	metadata, err := metadataOf(ctx, options, document)
	if err != nil {
		return trace.Ending{}, err
	}
	return monlog.Read(ctx, in, metadata, transcribed(session, options, document), take)
}

// metadataOf reads the metadata of a monitor log: the file that is named, or one that lies beside the log; nil if there is none.
func metadataOf(ctx context.Context, options Options, document Document) (*monlog.Metadata, error) {
	if options.Metadata != "" {
		return readMetadata(ctx, options, document.Name, options.Metadata)
	}
	if document.file == "" {
		return nil, nil
	}
	for _, beside := range metadataNames(document.file) {
		info, err := os.Stat(beside.name)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		metadata, err := readMetadata(ctx, options, document.Name, beside.name)
		var other *InputError
		switch {
		case errors.As(err, &other):
			continue // it has the name of one and is none
		case err == nil && !beside.obvious:
			options.Report(document.Name, trace.Finding{Rule: monlog.RuleMetadata, Severity: trace.Warning, Place: trace.Place{Line: 1, Column: 1},
				Message: "the metadata of this log is taken from " + beside.name + ", which lies beside it; --meta names another file"})
		}
		return metadata, err
	}
	return nil, nil
}

// MetadataFiles are the files in which the metadata of a monitor log may be: the one that is named, or if that is "" those that may lie beside the log.
func MetadataFiles(log, named string) (files []string) {
	if named != "" {
		return []string{named}
	}
	for _, beside := range metadataNames(log) {
		files = append(files, beside.name)
	}
	return files
}

// readMetadata reads the metadata file of a log. The error is an *InputError for what cannot be read, or is none.
func readMetadata(ctx context.Context, options Options, log, name string) (*monlog.Metadata, error) {
	inputs, err := OpenInputs([]string{name}, nil, 0)
	if err != nil {
		return nil, err
	}
	defer inputs.Close()
	head, text, err := inputs.Documents[0].Open()
	if err != nil {
		return nil, err
	}
	defer text.Close()
	if !monlog.RecognisesMetadata(head) {
		return nil, &InputError{name, errors.New("this is no metadata file of a monitor log: none of its first lines is one of a class (Lapp/Main;,Main.java) or of a method (0012AB34,run,()V,Lapp/Main;,-1)")}
	}
	options.used[filepath.Clean(name)] = true
	metadata, err := monlog.ReadMetadata(ctx, text, func(finding trace.Finding) {
		finding.File = name
		options.Report(log, finding)
	})
	if err != nil && ctx.Err() == nil {
		return nil, &InputError{name, err}
	}
	return metadata, err
}

// metadataName is a name that a metadata file may have.
type metadataName struct {
	name    string
	obvious bool // it has the name of the log in it
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
	for _, name := range []string{stem + ".meta" + ending, plain + ".meta", stem + ".meta", stem + "-meta" + ending, stem + "_meta" + ending, stem + ".metadata" + ending, stem + ".metadata"} {
		names = append(names, metadataName{name, true})
	}
	for _, name := range []string{"meta" + ending, "metadata" + ending, "meta.log", "meta.txt", "meta.csv", "meta", "metadata"} {
		names = append(names, metadataName{filepath.Join(folder, name), false})
	}
	for _, n := range slices.Clone(names) {
		names = append(names, metadataName{n.name + ".gz", n.obvious}, metadataName{n.name + ".zst", n.obvious})
	}
	return names
}
