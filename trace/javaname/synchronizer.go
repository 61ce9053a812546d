package javaname

import "strings"

// Synchronizer is a class of java.util.concurrent on whose objects threads park, as people know it.
type Synchronizer struct {
	// Word is what a thread waits for at such an object: lock, condition, semaphore, latch, barrier, phaser,
	// exchanger, queue, future, task, pool, worker, scope or permit.
	Word string
	// Class is the class that programs use, without its package: ReentrantLock, where the object is a nested
	// NonfairSync.
	Class string
	// Fair reports that the object serves threads in the order of their arrival, which not all objects of the class do.
	Fair bool
	// Node reports that each waiting thread has such an object of its own, whatever it waits for: two nodes can belong
	// to one phaser.
	Node bool

	name string // of Class with its package, in Java
}

// synchronizers are the classes, by their names without java/util/concurrent/ and without nested classes: Phaser$QNode
// is a phaser.
var synchronizers = map[string]string{
	"locks/ReentrantLock": "lock", "locks/ReentrantReadWriteLock": "lock", "locks/StampedLock": "lock",
	"locks/Condition": "condition", "locks/LockSupport": "permit",
	"Semaphore": "semaphore", "CountDownLatch": "latch", "CyclicBarrier": "barrier", "Phaser": "phaser",
	"Exchanger": "exchanger", "SynchronousQueue": "queue", "LinkedTransferQueue": "queue",
	"CompletableFuture": "future", "FutureTask": "future", "ForkJoinTask": "task", "CountedCompleter": "task",
	"RecursiveTask": "task", "RecursiveAction": "task", "ForkJoinPool": "pool",
	"StructuredTaskScope": "scope",
}

// futures are nested classes of executors, by their names without java/util/concurrent/, with the interfaces by which
// programs know them.
var futures = map[string]string{"ScheduledThreadPoolExecutor$ScheduledFutureTask": "ScheduledFuture",
	"ThreadPerTaskExecutor$ThreadBoundFuture": "Future"}

// concurrent is the package of synchronizers.
const concurrent = "java/util/concurrent/"

// PermitClass is the class of the objects that readers and recorders make up for a thread that parks without a blocker.
// Such a thread waits for its own permit.
const PermitClass = concurrent + "locks/LockSupport"

// IsPermit reports whether the class, in either notation, is that of these objects.
func IsPermit(class string) bool { return InternalClass(class) == PermitClass }

// conditionClass is nested in AbstractQueuedSynchronizer, which all locks extend.
const conditionClass = "ConditionObject"

// IsCondition reports whether the class, written with slashes or points, is that of a lock's conditions.
func IsCondition(class string) bool { return strings.HasSuffix(class, "$"+conditionClass) }

// SynchronizerOf returns the synchronizer whose objects have the class, written with slashes or points; ok is false if
// the table has none.
func SynchronizerOf(class string) (s Synchronizer, ok bool) {
	inner, ok := strings.CutPrefix(class, concurrent)
	if !ok {
		if inner, ok = strings.CutPrefix(class, "java.util.concurrent."); !ok {
			return Synchronizer{}, false
		}
		inner = strings.ReplaceAll(inner, ".", "/")
	}
	outer, nested, _ := strings.Cut(inner, "$")
	if nested == conditionClass {
		outer = "locks/Condition"
	}
	s.Word, ok = synchronizers[outer]
	if inner == "ThreadPoolExecutor$Worker" {
		s.Word, ok = "worker", true
	}
	if future := futures[inner]; future != "" {
		outer, s.Word, ok = future, "future", true
	}
	if !ok {
		return Synchronizer{}, false
	}
	s.Class = outer[strings.LastIndexByte(outer, '/')+1:]
	s.Fair = nested == "FairSync" || nested == "TransferQueue"
	s.Node = inner == "Phaser$QNode" || inner == "CompletableFuture$Signaller"
	s.name = Class(concurrent + outer)
	return s, true
}

// String returns the word and the class, or the word alone if both are the same: latch CountDownLatch, semaphore,
// phaser node.
func (s Synchronizer) String() string {
	text := s.Word
	if !strings.EqualFold(s.Word, s.Class) && s.Word != "permit" {
		text += " " + s.Class
	}
	if s.Node {
		text += " node"
	}
	return text
}

// SimpleClass returns the name of a class as people know it, without its package: ReentrantLock, Outer$Inner.
func SimpleClass(name string) string {
	plain := PlainClass(name)
	return plain[strings.LastIndexByte(plain, '.')+1:]
}

// IsOwnedLock reports whether the class is one of java.util.concurrent whose objects a thread owns: a thread that parks
// on one is BLOCKED.
func IsOwnedLock(class string) bool {
	s, ok := SynchronizerOf(class)
	if !ok || !strings.Contains(class, "$") {
		return false
	}
	return s.Class == "ReentrantLock" || s.Class == "ReentrantReadWriteLock" || s.Word == "worker"
}

// OfMonitor returns the names by which people know the class of a monitor: the class itself; for a java.lang.Class
// object also the class that it represents; for a lock of java.util.concurrent also the class that programs use, with
// its package and without.
func OfMonitor(class string) []string {
	declared, represented := SplitClassObject(class)
	names := []string{declared}
	if represented != "" {
		names = append(names, represented)
	}
	if _, parks := SynchronizerOf(class); parks {
		names = append(names, PlainClass(class), SimpleClass(class))
	}
	return names
}
