package rows

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/trcx/trcx/analyze/histogram"
)

// random returns a row with one of few keys.
func random(r *rand.Rand) Row {
	var d histogram.Distribution
	for range r.IntN(4) {
		d.Add(r.Int64N(1 << (1 + r.IntN(40))))
	}
	row := Row{Key{Table: Class, Labels: JoinLabels([]string{string(rune('a' + r.IntN(2))), "x"}), Line: uint64(r.IntN(2)),
		Time: "blocked"}, Of(&d)}
	row.Traces, row.Start, row.Text = 1, r.Int64N(3), string(rune('a'+r.IntN(3)))
	row.Status = statuses[r.IntN(len(statuses))]
	return row
}

// TestMergeInEveryOrder merges random rows in random orders and groupings, and compares with lengths that are counted
// one by one.
func TestMergeInEveryOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		all := make([]Row, 1+r.IntN(12))
		for i := range all {
			all[i] = random(r)
		}
		var want Set
		for _, row := range all {
			row.Buckets = slices.Clone(row.Buckets)
			want.Add(row.Key, row.Value)
		}
		for range 10 {
			r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			var got, part Set
			for _, row := range all {
				row.Buckets = slices.Clone(row.Buckets)
				part.Add(row.Key, row.Value)
				if r.IntN(3) == 0 {
					got.Merge(&part)
					part = Set{}
				}
			}
			got.Merge(&part)
			if !bytes.Equal(form(&got), form(&want)) {
				t.Fatalf("%d rows merge to different sums", len(all))
			}
		}
		for _, row := range want.Sorted() {
			if _, fits := row.Distribution(); !fits && row.Count > 0 {
				t.Fatalf("the figures of %+v do not fit together", row)
			}
		}
	}
}

// form returns the binary form of all rows.
func form(s *Set) (all []byte) {
	for _, row := range s.Sorted() {
		all = row.AppendValue(row.AppendKey(all))
	}
	return all
}

func file(t *testing.T, s *Set) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := WriteParquet(&out, []string{"service", "host"}, s.Sorted()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestForms converts random rows to their binary form and to Parquet, and back.
func TestForms(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var s Set
	for range 50 {
		row := random(r)
		s.Add(row.Key, row.Value)
		key, err := ParseKey(row.AppendKey(nil))
		if err != nil || key != row.Key {
			t.Fatalf("the key is %+v, want %+v: %v", key, row.Key, err)
		}
		form := row.AppendValue(nil)
		value, err := ParseValue(form)
		if err != nil || !bytes.Equal(value.AppendValue(nil), form) {
			t.Fatalf("the value is %+v, want %+v: %v", value, row.Value, err)
		}
		forms := AppendForms(AppendForms(nil, row.AppendKey(nil), form), row.AppendKey(nil), form)
		if both, err := ParseForms(forms); err != nil || len(both) != 2 || both[0].Key != key || both[1].Key != key {
			t.Fatalf("two rows are %+v: %v", both, err)
		}
		for cut := range forms {
			if both, err := ParseForms(forms[:cut]); err == nil && cut > 0 && len(both) != 1 {
				t.Fatalf("%d bytes of %d are no error", cut, len(forms))
			}
		}
		for cut := range form[:12] {
			if _, err := ParseValue(form[:cut]); err == nil {
				t.Fatalf("%d bytes of %d are no error", cut, len(form))
			}
		}
	}
	text := file(t, &s)
	labels, all, err := ReadParquet(bytes.NewReader(text))
	if err != nil || !slices.Equal(labels, []string{"service", "host"}) {
		t.Fatal(labels, err)
	}
	var again Set
	for _, row := range all {
		again.Add(row.Key, row.Value)
	}
	if !bytes.Equal(file(t, &again), text) {
		t.Error("the rows differ after they were read")
	}
	for size := 0; size < len(text); size += 97 {
		if _, _, err := ReadParquet(bytes.NewReader(text[:size])); err == nil {
			t.Fatalf("%d bytes of %d are no error", size, len(text))
		}
	}
}
