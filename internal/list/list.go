// Package list has a sequence that grows without being copied, for tables that are large.
package list

// List is a sequence of values in blocks, because a growing slice takes more than twice its size. Only the first block
// grows like a slice, so a short list is small. The zero List is empty.
type List[T any] struct {
	// Blocks hold the values, blockSize in each but the last.
	Blocks [][]T
	size   int
}

// blockSize is the number of values in a block, blockBits its logarithm.
const (
	blockBits  = 12
	blockSize  = 1 << blockBits
	firstBlock = 16
)

// Add appends a value.
func (l *List[T]) Add(value T) {
	if l.size == len(l.Blocks)<<blockBits {
		capacity := blockSize
		if l.size == 0 {
			capacity = firstBlock
		}
		l.Blocks = append(l.Blocks, make([]T, 0, capacity))
	}
	block := &l.Blocks[len(l.Blocks)-1]
	if len(*block) == cap(*block) {
		*block = append(make([]T, 0, 2*cap(*block)), *block...)
	}
	*block = append(*block, value)
	l.size++
}

// Len returns the number of values.
func (l *List[T]) Len() int { return l.size }

// At returns the value of the index, from 0 on; valid until the next call of Add.
func (l *List[T]) At(i int) *T { return &l.Blocks[i>>blockBits][i&(blockSize-1)] }
