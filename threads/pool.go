package threads

import "strings"

// PoolOf returns the name of a thread's pool: the thread's name with a * for each run of digits. Threads whose names
// differ only in digits are one pool. A thread whose name has no digits is a pool of its own.
func PoolOf(thread string) string {
	if !strings.ContainsAny(thread, "0123456789") {
		return thread
	}
	var pool strings.Builder
	inDigits := false
	for _, char := range []byte(thread) {
		isDigit := '0' <= char && char <= '9'
		switch {
		case !isDigit:
			pool.WriteByte(char)
		case !inDigits:
			pool.WriteByte('*')
		}
		inDigits = isDigit
	}
	return pool.String()
}
