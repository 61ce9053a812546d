package critical

// list is a sequence that grows without being copied: a slice takes more than twice its size while it is copied. Only
// the first block grows like a slice, so that a short list is small.
type list[T any] struct {
	blocks [][]T
	size   int
}

// blockSize makes a block of records a whole number of pages.
const (
	blockBits  = 12
	blockSize  = 1 << blockBits
	firstBlock = 16
)

// add appends a value.
func (l *list[T]) add(value T) {
	if l.size == len(l.blocks)<<blockBits {
		capacity := blockSize
		if l.size == 0 {
			capacity = firstBlock
		}
		l.blocks = append(l.blocks, make([]T, 0, capacity))
	}
	block := &l.blocks[len(l.blocks)-1]
	if len(*block) == cap(*block) {
		*block = append(make([]T, 0, 2*cap(*block)), *block...)
	}
	*block = append(*block, value)
	l.size++
}

// at returns the value of the index, from 0 on; valid until the next add.
func (l *list[T]) at(i int) *T { return &l.blocks[i>>blockBits][i&(blockSize-1)] }
