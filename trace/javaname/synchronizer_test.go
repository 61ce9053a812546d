package javaname_test

import (
	"testing"

	"github.com/trcx/trcx/trace/javaname"
)

func TestSynchronizersHaveWords(t *testing.T) {
	for class, want := range map[string]javaname.Synchronizer{
		"java/util/concurrent/locks/ReentrantLock$NonfairSync":                  {Word: "lock", Class: "ReentrantLock"},
		"java/util/concurrent/locks/ReentrantLock$FairSync":                     {Word: "lock", Class: "ReentrantLock", Fair: true},
		"java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync":         {Word: "lock", Class: "ReentrantReadWriteLock"},
		"java/util/concurrent/locks/StampedLock":                                {Word: "lock", Class: "StampedLock"},
		"java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject": {Word: "condition", Class: "Condition"},
		"java/util/concurrent/Semaphore$FairSync":                               {Word: "semaphore", Class: "Semaphore", Fair: true},
		"java/util/concurrent/CountDownLatch$Sync":                              {Word: "latch", Class: "CountDownLatch"},
		"java/util/concurrent/SynchronousQueue$TransferStack":                   {Word: "queue", Class: "SynchronousQueue"},
		"java/util/concurrent/CompletableFuture$Signaller":                      {Word: "future", Class: "CompletableFuture", Node: true},
		"java/util/concurrent/CompletableFuture":                                {Word: "future", Class: "CompletableFuture"},
		"java/util/concurrent/FutureTask":                                       {Word: "future", Class: "FutureTask"},
		"java/util/concurrent/ForkJoinTask$AdaptedRunnableAction":               {Word: "task", Class: "ForkJoinTask"},
		"java/util/concurrent/Phaser$QNode":                                     {Word: "phaser", Class: "Phaser", Node: true},
		"java/util/concurrent/Exchanger":                                        {Word: "exchanger", Class: "Exchanger"},
		"java/util/concurrent/ThreadPoolExecutor$Worker":                        {Word: "worker", Class: "ThreadPoolExecutor"},
		"java/util/concurrent/ScheduledThreadPoolExecutor$ScheduledFutureTask":  {Word: "future", Class: "ScheduledFuture"},
		"java.util.concurrent.ThreadPerTaskExecutor$ThreadBoundFuture":          {Word: "future", Class: "Future"},
		javaname.PermitClass:                                                    {Word: "permit", Class: "LockSupport"},
	} {
		got, ok := javaname.SynchronizerOf(class)
		if !ok || got.Word != want.Word || got.Class != want.Class || got.Fair != want.Fair || got.Node != want.Node {
			t.Errorf("%s: %+v, want %+v", class, got, want)
		}
	}
	for class, owned := range map[string]bool{"java/util/concurrent/locks/ReentrantLock$NonfairSync": true,
		"java.util.concurrent.locks.ReentrantReadWriteLock$FairSync": true,
		"java/util/concurrent/ThreadPoolExecutor$Worker":             true,
		"java/util/concurrent/locks/StampedLock":                     false,
		"java/util/concurrent/Semaphore$FairSync":                    false, "app/ReentrantLock$Sync": false} {
		if got := javaname.IsOwnedLock(class); got != owned {
			t.Errorf("%s is owned: %v", class, got)
		}
	}
	for _, class := range []string{"", "app/ReentrantLock$NonfairSync", "java/util/concurrent/ConcurrentHashMap$Node",
		"java/util/concurrent/ThreadPoolExecutor", "java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue",
		"java/lang/Object"} {
		if got, ok := javaname.SynchronizerOf(class); ok {
			t.Errorf("%q is a %+v", class, got)
		}
	}
}
