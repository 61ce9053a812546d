package threads

import "strings"

// PoolOf returns the name by which a thread's pool is known: the thread's name with a * for each run of digits. Threads
// whose names differ only in digits are one pool. A thread whose name has no digits is a pool of its own. PoolNames has
// the name for people.
func PoolOf(thread string) string {
	if !strings.ContainsAny(thread, digits) {
		return thread
	}
	var pool strings.Builder
	for rest := thread; rest != ""; {
		text, number, after := cutNumber(rest)
		pool.WriteString(text)
		if number != "" {
			pool.WriteByte('*')
		}
		rest = after
	}
	return pool.String()
}

const digits = "0123456789"

// cutNumber cuts a name around its first run of digits.
func cutNumber(name string) (before, number, after string) {
	begin := strings.IndexAny(name, digits)
	if begin < 0 {
		return name, "", ""
	}
	end := begin
	for end < len(name) && '0' <= name[end] && name[end] <= '9' {
		end++
	}
	return name[:begin], name[begin:end], name[end:]
}

// ExecutorOf returns the thread's name with a * for its last run of digits only. So pool-1-thread-1 and
// pool-2-thread-1, which two executors have started, are kept apart.
func ExecutorOf(thread string) string {
	end := strings.LastIndexAny(thread, digits) + 1
	if end == 0 {
		return thread
	}
	begin := len(strings.TrimRight(thread[:end], digits))
	return thread[:begin] + "*" + thread[end:]
}

// PoolNames computes what the names of a pool's threads have in common. The zero PoolNames has no names.
type PoolNames struct {
	name string
	any  bool
}

// Add adds the name of a thread, or the text of other PoolNames of the same pool.
func (p *PoolNames) Add(name string) {
	switch {
	case !p.any:
		p.name, p.any = strings.Clone(name), true
	case p.name != name:
		p.name = CommonName(p.name, name)
	}
}

// String returns the name of the pool for people: the name that all threads have, with a * for each number in which
// they differ.
func (p *PoolNames) String() string { return p.name }

// CommonName returns what the names of two threads, or of two parts, of a pool have in common. Runs of digits, or the *
// in their place, become a * where they differ.
func CommonName(a, b string) string {
	var common strings.Builder
	for a != "" && b != "" {
		if a[0] == b[0] && !isNumeric(a[0]) {
			common.WriteByte(a[0])
			a, b = a[1:], b[1:]
			continue
		}
		var numberA, numberB string
		numberA, a = cutNumeric(a)
		numberB, b = cutNumeric(b)
		switch {
		case numberA == "" || numberB == "": // the pools are different
			return common.String() + "*"
		case numberA == numberB:
			common.WriteString(numberA)
		default:
			common.WriteByte('*')
		}
	}
	return common.String()
}

func isNumeric(c byte) bool { return '0' <= c && c <= '9' || c == '*' }

// cutNumeric cuts a run of digits, or one *, from the start of a name.
func cutNumeric(name string) (number, rest string) {
	if strings.HasPrefix(name, "*") {
		return "*", name[1:]
	}
	rest = strings.TrimLeft(name, digits)
	return name[:len(name)-len(rest)], rest
}
