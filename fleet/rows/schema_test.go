package rows_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/trcx/trcx/fleet/analyse"
	"github.com/trcx/trcx/fleet/rows"
)

// TestSchema validates the rows of recorded and broken files, as a program reads them from Parquet, against the JSON
// Schema, which has all their columns and no others. Rows that are wrong are refused.
func TestSchema(t *testing.T) {
	schema := jsonschema.MustCompileString("rows.json", rows.Schema())
	names, err := filepath.Glob("../../testdata/recorded/*.*")
	if err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(broken, []byte("no trace"), 0o666); err != nil {
		t.Fatal(err)
	}
	analyser, err := analyse.New(analyse.Options{By: []string{"host"}})
	if err != nil {
		t.Fatal(err)
	}
	var all rows.Set
	for _, name := range append(names, broken) {
		of, err := analyser.File(context.Background(), name)
		if err != nil {
			t.Fatal(err)
		}
		all.Merge(of)
	}
	var file bytes.Buffer
	if err := rows.WriteParquet(&file, []string{"host"}, all.Sorted()); err != nil {
		t.Fatal(err)
	}
	read, err := parquet.Read[any](bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[any]bool{}
	for _, row := range read {
		object := value(t, row)
		seen[object["table"]] = true
		if err := schema.Validate(object); err != nil {
			t.Fatalf("%#v\n%v", err, object)
		}
	}
	if len(seen) < 10 {
		t.Errorf("there are rows of %d tables only", len(seen))
	}
	columns := slices.Sorted(maps.Keys(value(t, read[0])))
	if want := slices.Sorted(maps.Keys(schema.Properties)); !slices.Equal(slices.DeleteFunc(columns,
		func(name string) bool { return name == "host" }), want) {
		t.Errorf("the columns are %q, those of the schema %q", columns, want)
	}
	for name, wrong := range map[string]any{"table": "classes", "count": -1, "line": "7", "bucket": []any{-1}, "host": 1} {
		object := value(t, read[0])
		object[name] = wrong
		if schema.Validate(object) == nil {
			t.Errorf("%s may be %v", name, wrong)
		}
	}
}

// value returns a row as JSON has it.
func value(t *testing.T, row any) (object map[string]any) {
	t.Helper()
	text, err := json.Marshal(row)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&object); err != nil {
		t.Fatal(err)
	}
	return object
}
