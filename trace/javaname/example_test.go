package javaname_test

import (
	"fmt"

	"github.com/trcx/trcx/trace/javaname"
)

// A class of the JVM, as programs write it, and the lock that people know it as.
func ExampleClass() {
	fmt.Println(javaname.Class("[[Lshop/Config;"))
	fmt.Println(javaname.Class("java/util/concurrent/locks/ReentrantLock$NonfairSync"))
	fmt.Println(javaname.PlainClass("java/util/concurrent/locks/ReentrantLock$NonfairSync"))
	// Output:
	// shop.Config[][]
	// java.util.concurrent.locks.ReentrantLock$NonfairSync
	// java.util.concurrent.locks.ReentrantLock
}
