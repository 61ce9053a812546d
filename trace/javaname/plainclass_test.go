package javaname_test

import (
	"testing"

	"github.com/trcx/trcx/trace/javaname"
)

func TestPlainClassName(t *testing.T) {
	for name, want := range map[string]string{
		"java/util/concurrent/locks/ReentrantLock$NonfairSync":                  "java.util.concurrent.locks.ReentrantLock",
		"java.util.concurrent.locks.ReentrantReadWriteLock$FairSync":            "java.util.concurrent.locks.ReentrantReadWriteLock",
		"java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject": "java.util.concurrent.locks.Condition",
		"java/util/concurrent/CountDownLatch$Sync":                              "java.util.concurrent.CountDownLatch",
		"java/util/concurrent/CompletableFuture$Signaller":                      "java.util.concurrent.CompletableFuture",
		"java/util/concurrent/ConcurrentHashMap$Node":                           "java.util.concurrent.ConcurrentHashMap$Node",
		"app/ReentrantLock$NonfairSync":                                         "app.ReentrantLock$NonfairSync",
		"java/util/concurrent/locks/LockSupport":                                "java.util.concurrent.locks.LockSupport",
		"[Ljava/lang/String;":                                                   "java.lang.String[]",
	} {
		if got := javaname.PlainClass(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
