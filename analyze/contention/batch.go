package contention

import "sync"

// batches are things that are counted later, many at once, in another goroutine. If they were counted one by one, the
// rows that each needs would displace each other from the processor's caches.
type batches[T any] struct {
	filled, counted []T
	count           func([]T)
	running         sync.WaitGroup
}

// batchSize is the number of things in a batch.
const batchSize = 1 << 12

func (b *batches[T]) add(thing T) {
	b.filled = append(b.filled, thing)
	if len(b.filled) == batchSize {
		b.flush()
	}
}

// flush starts to count the filled batch after the previous one.
func (b *batches[T]) flush() {
	b.running.Wait()
	b.filled, b.counted = b.counted[:0], b.filled
	b.running.Go(func() { b.count(b.counted) })
}

// wait returns when everything is counted.
func (b *batches[T]) wait() {
	b.flush()
	b.running.Wait()
}
