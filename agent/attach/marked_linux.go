package attach

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Marked returns the processes of this user that have the variable in their environment, such as NAME=value, which
// processes pass on to their children. Processes that have ended meanwhile are left out.
func Marked(variable string) ([]Usage, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var found []Usage
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		environment, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if err != nil || !bytes.Contains(append([]byte{0}, environment...), []byte("\x00"+variable+"\x00")) {
			continue
		}
		if usage, ok := usageOf(pid); ok {
			found = append(found, usage)
		}
	}
	return found, nil
}

// tick is the unit of times in /proc/PID/stat on all platforms that trcx runs on (USER_HZ).
const tick = 10 * time.Millisecond

// usageOf returns what the process has used; ok is false if it has ended.
func usageOf(pid int) (u Usage, ok bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return u, false
	}
	// the name before, in parentheses, may have blanks
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 20 || fields[0] == "Z" {
		return u, false
	}
	number := func(i int) uint64 {
		n, _ := strconv.ParseUint(fields[i-3], 10, 64) // the kernel writes a number
		return n
	}
	u = Usage{PID: pid, Started: number(22), CPU: time.Duration(number(14)+number(15)) * tick}
	counts, _ := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid)) // unreadable if the kernel does not count
	for line := range strings.Lines(string(counts)) {
		if value, found := strings.CutPrefix(line, "wchar: "); found {
			u.Written, _ = strconv.ParseUint(strings.TrimSpace(value), 10, 64)
		}
	}
	_, err = Inspect(pid)
	u.JVM = err == nil
	return u, true
}
