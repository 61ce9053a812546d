package list

import "testing"

// TestList proves that values keep their index, and blocks their size, over several blocks.
func TestList(t *testing.T) {
	var l List[int]
	for i := range 3*blockSize + 5 {
		l.Add(i * 2)
		if l.Len() != i+1 || *l.At(i) != i*2 {
			t.Fatalf("after %d values the last of %d is %d", i+1, l.Len(), *l.At(i))
		}
	}
	for i := range l.Len() {
		if *l.At(i) != i*2 {
			t.Fatalf("value %d is %d", i, *l.At(i))
		}
	}
	for i, block := range l.Blocks {
		if want := min(blockSize, l.Len()-i*blockSize); len(block) != want {
			t.Errorf("block %d has %d values, want %d", i, len(block), want)
		}
	}
}
