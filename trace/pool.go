package trace

import "strings"

// PoolOf returns the name of the pool that a thread belongs to by its name: the name with a * for each run of digits.
// Threads whose names differ only in digits are of one pool; a name without digits is that of a pool of one.
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
