package jvmtest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/emit/model"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/validate/schema"
)

// annotation is an annotation inside an event, or on a line of its own.
var annotation = regexp.MustCompile(`<annotation [^>]*/>`)

// sampled is an element that only names the holder of what a blocked thread wants.
var sampled = regexp.MustCompile(`<monContendedEnter [^\n]*name="again"[^\n]*\n`)

// checkPlain proves that a reader that ignores annotations, and samples of holders, gets a valid trace, and a model
// that follows its schema.
func checkPlain(t *testing.T, file string) {
	t.Helper()
	plain := filepath.Join(t.TempDir(), "plain.trcxml")
	text := annotation.ReplaceAll(sampled.ReplaceAll(must(os.ReadFile(file))(t), nil), nil)
	if err := os.WriteFile(plain, text, 0o600); err != nil {
		t.Fatal(err)
	}
	result, err := Validate(plain)
	if err != nil || !result.Valid() {
		t.Errorf("without annotations: %v: %+v", err, result)
	}
	var out bytes.Buffer
	grouped := model.NewWriter(&out, model.Options{})
	defer grouped.Close()
	if err := read(plain, convert.Options{}, enrich.New(grouped, enrich.Options{})); err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(&out)
	decoder.UseNumber()
	var doc any
	if err := decoder.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	rules, _ := schema.Text("model")
	if err := must(jsonschema.CompileString("model", rules))(t).Validate(doc); err != nil {
		t.Error(err)
	}
}
