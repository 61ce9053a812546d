package critical

// list is a sequence that grows without being copied, for while it is copied a slice takes up more than twice its size.
// Only its first block grows as slices do, so that a short list is small.
type list[T any] struct {
	blocks [][]T
	size   int
}

// blockSize is such that a block of records is a whole number of pages.
const (
	blockBits  = 12
	blockSize  = 1 << blockBits
	firstBlock = 16
)

// add appends a value.
func (l *list[T]) add(value T) {
	if l.size == len(l.blocks)<<blockBits {
		room := blockSize
		if l.size == 0 {
			room = firstBlock
		}
		l.blocks = append(l.blocks, make([]T, 0, room))
	}
	block := &l.blocks[len(l.blocks)-1]
	if len(*block) == cap(*block) {
		*block = append(make([]T, 0, 2*cap(*block)), *block...)
	}
	*block = append(*block, value)
	l.size++
}

// at is the value of the index, counted from 0; good until another one is added.
func (l *list[T]) at(i int) *T { return &l.blocks[i>>blockBits][i&(blockSize-1)] }
