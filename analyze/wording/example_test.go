package wording_test

import (
	"fmt"

	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/trace"
)

// A monitor and a time as reports write them.
func ExampleObject() {
	monitor := trace.ObjectFrom([]byte("901"))
	fmt.Println(wording.Object(monitor, "java/util/concurrent/CountDownLatch$Sync"))
	fmt.Println(wording.Lock(monitor, "shop/Cache"))
	fmt.Println(wording.Moment(2_500_000_000, 1_000_000_000))
	// Output:
	// latch CountDownLatch 901
	// the lock of shop.Cache 901
	// 1.500000 s
}
