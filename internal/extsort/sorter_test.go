package extsort_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/trcx/trcx/internal/extsort"
)

type record struct {
	key  extsort.Key
	text string
}

func compare(a, b record) int {
	return cmp.Or(cmp.Compare(a.key.Section, b.key.Section), cmp.Compare(a.key.Group, b.key.Group),
		cmp.Compare(a.key.ID, b.key.ID), cmp.Compare(a.key.Order, b.key.Order))
}

// records returns records in random order. Their keys differ, many only in the last parts.
func records(seed uint64, n int) []record {
	random := rand.New(rand.NewPCG(seed, 1))
	all := make([]record, n)
	for i := range all {
		all[i] = record{extsort.Key{Section: byte(random.IntN(3)), Group: random.Uint64N(4) << 62,
			ID: random.Uint64N(3), Order: uint64(i)},
			fmt.Sprint("record ", i, string(bytes.Repeat([]byte{byte(i)}, random.IntN(50))))}
	}
	random.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

func TestSorted(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000, 5000} {
		for _, memory := range []int{0, 1, 500, 20_000} {
			folder := t.TempDir()
			sorter := extsort.Sorter{Folder: folder, Name: "test", Memory: memory}
			want := records(uint64(n), n)
			for _, r := range want {
				if err := sorter.Add(r.key, []byte(r.text)); err != nil {
					t.Fatal(err)
				}
			}
			slices.SortFunc(want, compare)
			var got []record
			for key, text := range sorter.Sorted() {
				got = append(got, record{key, string(text)})
			}
			if sorter.Err() != nil || !slices.Equal(got, want) || sorter.Records() != uint64(n) {
				t.Errorf("%d records with %d bytes in memory: %d come out, or in another order (%v)", n, memory,
					len(got), sorter.Err())
			}
			if err := sorter.Close(); err != nil {
				t.Error(err)
			}
			if err := sorter.Close(); err != nil {
				t.Error("the second Close:", err)
			}
			if left, _ := os.ReadDir(folder); len(left) > 0 {
				t.Errorf("%v is left over", left)
			}
		}
	}
}

// TestSortedMayBeLeft: the iteration can be ended early.
func TestSortedMayBeLeft(t *testing.T) {
	for _, memory := range []int{0, 100} {
		sorter := extsort.Sorter{Folder: t.TempDir(), Memory: memory}
		for _, r := range records(1, 100) {
			if err := sorter.Add(r.key, []byte(r.text)); err != nil {
				t.Fatal(err)
			}
		}
		for range sorter.Sorted() {
			break
		}
		if sorter.Err() != nil {
			t.Error(sorter.Err())
		}
		if err := sorter.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestFolderThatIsMissing(t *testing.T) {
	sorter := extsort.Sorter{Folder: filepath.Join(t.TempDir(), "missing"), Memory: 10}
	if err := sorter.Add(extsort.Key{}, []byte("a record of some length")); err == nil {
		t.Error("the file is created in a folder that is not there")
	}
}

func BenchmarkSort(b *testing.B) {
	all := records(1, 200_000)
	b.ReportAllocs()
	for b.Loop() {
		sorter := extsort.Sorter{Folder: b.TempDir()}
		for _, r := range all {
			sorter.Add(r.key, []byte(r.text))
		}
		for range sorter.Sorted() {
		}
		sorter.Close()
	}
}
