package schema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate/schema"
)

// The oracle reads a document as a whole, with encoding/json, and validates it as a whole by the unchanged schema with
// the library.

var oracles = sync.OnceValue(func() map[string]*jsonschema.Schema {
	all := map[string]*jsonschema.Schema{}
	for _, name := range schema.Names() {
		compiler := jsonschema.NewCompiler()
		compiler.LoadURL = func(url string) (io.ReadCloser, error) { return nil, fmt.Errorf("%s is not embedded", url) }
		text, _ := schema.Text(name)
		if err := compiler.AddResource("test:"+name, strings.NewReader(text)); err != nil {
			panic(err)
		}
		all[name] = compiler.MustCompile("test:" + name)
	}
	return all
})

// decode reads one JSON value and the end of the text.
func decode(document []byte) (value any, err error) {
	err = json.Unmarshal(document, &value)
	return value, err
}

// fits reports whether the whole document, or every line, satisfies the schema.
func fits(t testing.TB, name string, document []byte) bool {
	t.Helper()
	pieces := [][]byte{document}
	if name == schema.Lines {
		pieces = bytes.Split(bytes.TrimRight(document, "\n"), []byte("\n"))
	}
	for _, piece := range pieces {
		value, err := decode(piece)
		must(t, err)
		if oracles()[name].Validate(value) != nil {
			return false
		}
	}
	return true
}

// rules counts findings by their rules.
func rules(findings []trace.Finding) map[string]int {
	counts := map[string]int{}
	for _, f := range findings {
		counts[f.Rule]++
	}
	return counts
}

// mutate changes something somewhere in a value, and returns it.
func mutate(random *rand.Rand, v any) any {
	switch v := v.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		if len(names) == 0 || random.IntN(8) == 0 {
			break
		}
		name := names[random.IntN(len(names))]
		switch random.IntN(12) {
		case 0:
			delete(v, name)
		case 1:
			v[strange[random.IntN(len(strange))]] = v[name]
		case 2:
			v[memberNames[random.IntN(len(memberNames))]] = anything(random)
		default:
			v[name] = mutate(random, v[name])
		}
		return v
	case []any:
		if len(v) == 0 || random.IntN(8) == 0 {
			break
		}
		i := random.IntN(len(v))
		switch random.IntN(12) {
		case 0:
			return slices.Delete(v, i, i+1)
		case 1:
			return slices.Insert(v, i, v[random.IntN(len(v))])
		default:
			v[i] = mutate(random, v[i])
		}
		return v
	}
	return anything(random)
}

var (
	strange     = []string{"", "a/b", "~", "~1", "%41", "0", "\x00", "é", "kind", "type"}
	memberNames = []string{"kind", "type", "id", "time", "threads", "trace", "events", "objectRef", "runningEvents",
		"lockedThread", "cause", "version", "$ref", "$schema"}
)

func anything(random *rand.Rand) any {
	all := []any{nil, true, false, json.Number("0"), json.Number("1"), json.Number("-1"), json.Number("1.0"),
		json.Number("2.5"), json.Number("1e2"),
		json.Number("9223372036854775808"), "", "0", "-1", "x", "12.000000000", "trcx-model", "event",
		"TRCThreadRunningEvent", "TRCThreadNotifyAllEvent",
		[]any{}, []any{json.Number("1"), json.Number("1.0")}, []any{"a", []any{}}, map[string]any{},
		map[string]any{"a": json.Number("1")}}
	return all[random.IntN(len(all))]
}

// TestStreamingDecidesLikeTheWhole changes models at random and compares the verdicts in pieces and as a whole.
func TestStreamingDecidesLikeTheWhole(t *testing.T) {
	testtool.Long(t)
	right, wrong := 0, 0
	for seed := range testtool.Times(uint64(600)) {
		random := rand.New(rand.NewPCG(seed, 1))
		for name, clean := range written(t, enrichtest.Simulate(seed%20, 12).XML) {
			changed := change(t, random, name, clean)
			want := fits(t, name, changed)
			if want {
				right++
			} else {
				wrong++
			}
			findings := check(t, name, changed)
			counts := rules(findings)
			if got := counts[schema.RuleSchema] == 0; got != want {
				t.Fatalf("seed %d: %s: as a whole it fits: %v, in pieces: %v: %v\n%s", seed, name, want, got, findings,
					changed)
			}
			if counts[schema.RuleSyntax]+counts[schema.RuleLimit] > 0 {
				t.Fatalf("seed %d: %s: %v", seed, name, findings)
			}
			places(t, name, changed, findings)
		}
	}
	if right < testtool.Times(100) || wrong < testtool.Times(100) {
		t.Errorf("%d models fit and %d do not: that says little", right, wrong)
	}
}

// change changes a model, or one or two lines of one.
func change(t *testing.T, random *rand.Rand, name string, clean []byte) []byte {
	t.Helper()
	if name == schema.Model {
		return changePiece(t, random, clean)
	}
	all := bytes.Split(bytes.TrimRight(clean, "\n"), []byte("\n"))
	for range 1 + random.IntN(2) {
		i := random.IntN(len(all))
		all[i] = changePiece(t, random, all[i])
	}
	return append(bytes.Join(all, []byte("\n")), '\n')
}

func changePiece(t *testing.T, random *rand.Rand, piece []byte) []byte {
	t.Helper()
	value, err := decode(piece)
	must(t, err)
	for range 1 + random.IntN(2) {
		value = mutate(random, value)
	}
	changed, err := json.Marshal(value)
	must(t, err)
	return changed
}

// places checks that lines and columns agree with the offsets, and that an element of the pointer is there.
func places(t testing.TB, name string, document []byte, findings []trace.Finding) {
	t.Helper()
	for _, f := range findings {
		before := document[:f.Place.Offset]
		begin := bytes.LastIndexByte(before, '\n') + 1
		text := before[begin:]
		if name == schema.Lines && len(before) == len(document) {
			text = bytes.TrimSuffix(text, []byte("\r")) // the end of a line has no column
		}
		line, column := 1+bytes.Count(before, []byte("\n")), 1+utf8.RuneCount(text)
		if bytes.HasPrefix(document, []byte("\xEF\xBB\xBF")) && line == 1 && f.Place.Offset > 0 {
			column += 2 // it is as three spaces
		}
		if f.Place.Line != line || f.Place.Column != column {
			t.Errorf("%v is at offset %d, which is %d:%d", f, f.Place.Offset, line, column)
		}
		if f.Rule == schema.RuleSchema && !strings.Contains(f.Element, "…") {
			follow(t, name, document, f)
		}
	}
}

// follow checks that the finding's pointer leads to or through the value at its place.
func follow(t testing.TB, name string, document []byte, f trace.Finding) {
	t.Helper()
	var there any
	if err := json.NewDecoder(bytes.NewReader(document[f.Place.Offset:])).Decode(&there); err != nil {
		t.Errorf("%v: no value is there: %v", f, err)
		return
	}
	whole := document
	if name == schema.Lines {
		whole, _, _ = bytes.Cut(document[bytes.LastIndexByte(document[:f.Place.Offset], '\n')+1:], []byte("\n"))
	}
	value, err := decode(bytes.TrimPrefix(whole, []byte("\xEF\xBB\xBF")))
	if err != nil {
		return // what follows the value is broken
	}
	found := reflect.DeepEqual(value, there)
	for _, step := range strings.Split(f.Element, "/")[1:] {
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		switch v := value.(type) {
		case map[string]any:
			value = v[step]
		case []any:
			i, err := strconv.Atoi(step)
			must(t, err)
			value = v[i]
		}
		found = found || reflect.DeepEqual(value, there)
	}
	if !found {
		t.Errorf("%v: the pointer does not lead to %v, which is at the place", f, there)
	}
}
