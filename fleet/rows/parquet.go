package rows

import (
	"bytes"
	_ "embed" // for the schema
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// The names of a file's metadata: the version of its schema, and the names of the labels, joined by commas.
const (
	metadataVersion = "trcx.rows.version"
	metadataLabels  = "trcx.rows.labels"
)

// rowsVersion is the version of the schema. It rises when a column changes its meaning or goes.
const rowsVersion = "1"

//go:embed rows.schema.json
var schema string

// Schema returns the JSON Schema of rows.
func Schema() string { return schema }

// The columns beside those of labels, which follow the first one.
var (
	keyColumns = []string{"class", "method", "file", "line", "library_method", "monitor", "pool", "kind", "state", "name",
		"trace", "time"}
	numberColumns = []string{"count", "open", "total", "min", "max", "monitors", "threads", "traces", "length", "events",
		"bytes"}
	otherColumns = []string{"start", "status", "text", "bucket", "n"}
)

// CheckLabel returns an error unless a label may have the name: lower-case letters, digits and _, and no
// column of rows.
func CheckLabel(name string) error {
	switch {
	case name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" || name[0] < 'a':
		return fmt.Errorf("label %q: want lower-case letters, digits and _, and a letter first", name)
	case name == "table" || slices.Contains(slices.Concat(keyColumns, numberColumns, otherColumns), name):
		return fmt.Errorf("label %q: a column of rows has this name; take another one", name)
	}
	return nil
}

// columnsOf returns the columns of rows with the labels.
func columnsOf(labels []string) []Column {
	columns := []Column{{"table", TextColumn}}
	for _, label := range labels {
		columns = append(columns, Column{label, TextColumn})
	}
	for _, name := range keyColumns {
		typ := TextColumn
		if name == "line" {
			typ = NumberColumn
		}
		columns = append(columns, Column{name, typ})
	}
	for _, name := range numberColumns {
		columns = append(columns, Column{name, NumberColumn})
	}
	return append(columns, Column{"start", TimeColumn}, Column{"status", TextColumn}, Column{"text", TextColumn},
		Column{"bucket", ListColumn}, Column{"n", ListColumn})
}

// exchange copies a row to the values of its columns, or, if load, from them.
func (r *Row) exchange(values []reflect.Value, labels int, load bool) {
	all, fields, texts := r.LabelValues(labels), []any{&r.Table}, r.texts()
	for i := range all {
		fields = append(fields, &all[i])
	}
	for _, text := range append(texts[2:], &r.Time) { // after the table and the labels
		if fields = append(fields, text); text == &r.File {
			fields = append(fields, &r.Line)
		}
	}
	for _, number := range r.numbers() {
		fields = append(fields, number)
	}
	var buckets, counts []uint64
	for _, bucket := range r.Buckets {
		buckets, counts = append(buckets, bucket[0]), append(counts, bucket[1])
	}
	for i, field := range append(fields, &r.Start, &r.Status, &r.Text, &buckets, &counts) {
		if of := reflect.ValueOf(field).Elem(); load {
			of.Set(values[i])
		} else {
			values[i].Set(of)
		}
	}
	if !load {
		return
	}
	r.Labels = JoinLabels(all)
	for i := range min(len(buckets), len(counts)) {
		r.Buckets = append(r.Buckets, [2]uint64{buckets[i], counts[i]})
	}
}

// WriteParquet writes the rows, which are sorted, with the names of their labels.
func WriteParquet(out io.Writer, labels []string, all []Row) error {
	metadata := map[string]string{metadataVersion: rowsVersion, metadataLabels: strings.Join(labels, ",")}
	return WriteColumns(out, columnsOf(labels), metadata, len(all), func(i int, values []reflect.Value) {
		all[i].exchange(values, len(labels), false)
	})
}

// IsParquet reports whether a file begins as Parquet files do.
func IsParquet(head []byte) bool { return bytes.HasPrefix(head, []byte("PAR1")) }

// ReadParquet reads what WriteParquet wrote into memory, and returns the rows with the names of their labels. The error
// says what is wrong with the file.
func ReadParquet(in io.Reader) (labels []string, all []Row, err error) {
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if reason := recover(); reason != nil { // the library panics at some damaged files
			err = fmt.Errorf("the rows are damaged: %v", reason)
		}
	}()
	file, err := parquet.OpenFile(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return nil, nil, fmt.Errorf("the rows are damaged: %w", err)
	}
	version, ok := file.Lookup(metadataVersion)
	switch {
	case !ok:
		return nil, nil, errors.New("a Parquet file, but none with rows of trcx-fleet")
	case version != rowsVersion:
		return nil, nil, fmt.Errorf("the rows are of version %s; this trcx-fleet reads version %s", version, rowsVersion)
	}
	if joined, _ := file.Lookup(metadataLabels); joined != "" {
		labels = strings.Split(joined, ",")
	}
	for _, label := range labels {
		if err := CheckLabel(label); err != nil {
			return nil, nil, fmt.Errorf("the rows are damaged: %w", err)
		}
	}
	typ := structOf(columnsOf(labels))
	schema := parquet.SchemaOf(reflect.New(typ).Interface())
	r := parquet.NewReader(file, schema)
	defer r.Close()
	for {
		row := reflect.New(typ)
		switch err := r.Read(row.Interface()); {
		case err == io.EOF:
			return labels, all, nil
		case err != nil:
			return nil, nil, fmt.Errorf("the rows are damaged: %w", err)
		}
		var one Row
		one.exchange(fieldsOf(row.Elem()), len(labels), true)
		if _, fits := one.Distribution(); one.Count > 0 && len(one.Buckets) > 0 && !fits {
			return nil, nil, fmt.Errorf("the rows are damaged: the figures of a %s do not fit together", one.Table)
		}
		all = append(all, one)
	}
}
