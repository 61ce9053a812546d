package listen

import (
	"net"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestGonePeers proves that an accepted connection has the options that let Linux find out within 60 seconds that the
// other end is gone.
func TestGonePeers(t *testing.T) {
	listener, err := listenTCP("127.0.0.1:0", "")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	other, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	socket, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	raw, err := socket.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	option := func(level, name int) (value int) {
		control := raw.Control(func(descriptor uintptr) { value, err = unix.GetsockoptInt(int(descriptor), level, name) })
		if control != nil || err != nil {
			t.Fatal(control, err)
		}
		return value
	}
	if option(unix.SOL_SOCKET, unix.SO_KEEPALIVE) == 0 {
		t.Error("there are no keep-alive probes")
	}
	idle, interval := option(unix.IPPROTO_TCP, unix.TCP_KEEPIDLE), option(unix.IPPROTO_TCP, unix.TCP_KEEPINTVL)
	probes := time.Duration(idle+interval*option(unix.IPPROTO_TCP, unix.TCP_KEEPCNT)) * time.Second
	answers := time.Duration(option(unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT)) * time.Millisecond
	if answers <= 0 || answers >= probes || probes > 50*time.Second {
		t.Errorf("probes take %v, unconfirmed answers %v", probes, answers)
	}
}
