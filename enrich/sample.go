package enrich

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// sampleAnnotation puts the sample of an annotation, if its thread is known and has not ended.
func (e *Enricher) sampleAnnotation(text []byte) {
	sample := &e.reused.sample
	id, frames, ok := sample.Parse(text)
	if !ok {
		return
	}
	i := e.scope.incarnation(trace.ThreadFrom(id))
	if i == nil || i.isDead() {
		return
	}
	sample.Thread = i.ref()
	if len(frames) > 0 {
		sample.Stack, _ = e.stackText(frames)
	}
	if sample.State == trace.StateRunnable && sample.Stack != nil && WaitsInNative(sample.Stack.Frames[0].Method) {
		sample.State = trace.StateInIO
	}
	e.put(sample)
}

// nativeWaits are the native methods in which threads wait for input, output or an event. The JVM reports such a thread
// as RUNNABLE.
var nativeWaits = map[string][]string{
	"java/net/PlainSocketImpl":                   {"socketAccept", "socketConnect"},
	"java/net/DualStackPlainSocketImpl":          {"accept0", "connect0", "waitForConnect"},
	"java/net/SocketInputStream":                 {"socketRead0"},
	"java/net/SocketOutputStream":                {"socketWrite0"},
	"java/net/PlainDatagramSocketImpl":           {"receive0", "peekData"},
	"java/net/DualStackPlainDatagramSocketImpl":  {"socketReceiveOrPeekData"},
	"java/net/Inet4AddressImpl":                  {"lookupAllHostAddr", "getHostByAddr", "isReachable0"},
	"java/net/Inet6AddressImpl":                  {"lookupAllHostAddr", "getHostByAddr", "isReachable0"},
	"java/io/FileInputStream":                    {"open0", "read0", "readBytes", "readBytes0"},
	"java/io/FileOutputStream":                   {"open0", "write", "writeBytes"},
	"java/io/RandomAccessFile":                   {"open0", "read0", "readBytes", "readBytes0", "write0", "writeBytes", "writeBytes0"},
	"java/lang/ref/Reference":                    {"waitForReferencePendingList"},
	"java/lang/ProcessImpl":                      {"waitFor", "waitForInterruptibly", "waitForTimeoutInterruptibly", "waitForProcessExit0"},
	"java/lang/UNIXProcess":                      {"waitForProcessExit"},
	"java/lang/ProcessHandleImpl":                {"waitForProcessExit0"},
	"sun/nio/ch/Net":                             {"accept", "connect0", "poll", "pollConnect"},
	"sun/nio/ch/ServerSocketChannelImpl":         {"accept0"},
	"sun/nio/ch/FileDispatcherImpl":              {"read0", "readv0", "pread0", "write0", "writev0", "pwrite0", "force0", "lock0"},
	"sun/nio/ch/UnixFileDispatcherImpl":          {"read0", "readv0", "pread0", "write0", "writev0", "pwrite0", "force0", "lock0"},
	"sun/nio/ch/SocketDispatcher":                {"read0", "readv0", "write0", "writev0"},
	"sun/nio/ch/UnixDispatcher":                  {"read0", "readv0"},
	"sun/nio/ch/DatagramDispatcher":              {"read0", "readv0", "write0", "writev0"},
	"sun/nio/ch/DatagramChannelImpl":             {"receive0", "send0"},
	"sun/nio/fs/UnixNativeDispatcher":            {"open0", "stat0", "lstat0", "access0"}, // of a file system far away
	"sun/nio/ch/IOUtil":                          {"drain"},
	"sun/nio/ch/EPoll":                           {"wait"},
	"sun/nio/ch/EPollArrayWrapper":               {"epollWait"},
	"sun/nio/ch/PollArrayWrapper":                {"poll0"},
	"sun/nio/ch/PollSelectorImpl":                {"poll"},
	"sun/nio/ch/KQueue":                          {"poll"},
	"sun/nio/ch/KQueueArrayWrapper":              {"kevent0"},
	"sun/nio/ch/DevPollArrayWrapper":             {"poll0"},
	"sun/nio/ch/WEPoll":                          {"wait"},
	"sun/nio/ch/WindowsSelectorImpl$SubSelector": {"poll0"},
	"sun/nio/ch/Iocp":                            {"getQueuedCompletionStatus"},
	"sun/nio/ch/UnixDomainSockets":               {"accept0", "connect0"},
	"sun/nio/fs/LinuxWatchService":               {"poll"},
	"sun/nio/fs/WindowsNativeDispatcher":         {"GetQueuedCompletionStatus0"},
	"sun/awt/X11/XToolkit":                       {"waitForEvents"},
	"sun/awt/windows/WToolkit":                   {"eventLoop"},
	"io/netty/channel/epoll/Native":              {"epollWait", "epollWait0", "epollBusyWait0"},
	"io/netty/channel/kqueue/Native":             {"keventWait"},
	"io/netty/channel/uring/Native":              {"ioUringEnter"},
}

// WaitsInNative reports whether a thread waits if its innermost call is of the method.
func WaitsInNative(m *trace.ModelMethod) bool {
	return slices.Contains(nativeWaits[unshaded(m.Class)], m.Name)
}
