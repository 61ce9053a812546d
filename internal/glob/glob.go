// Package glob matches names against patterns of a command line: * matches any characters, ? matches one, [a-z] one of
// these and [!a-z] one other character. A [ without ] matches itself, for names of array classes.
package glob

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Pattern is a pattern. The zero Pattern matches the empty name only.
type Pattern struct{ text string }

// Names returns a pattern for names.
func Names(text string) Pattern { return Pattern{text} }

// Classes returns a pattern for class names, in which . and / are equal: com.acme.* and com/acme/* both match
// com/acme/io/Pool.
func Classes(text string) Pattern { return Pattern{slashed(text)} }

// String returns the pattern's text.
func (p Pattern) String() string { return p.text }

// Match reports whether the pattern matches the whole name.
func (p Pattern) Match(name string) bool {
	pattern := p.text
	starAt, retry := "", "" // after the last star: the pattern, and the name where it is tried next
	starred := false
	for name != "" {
		if pattern != "" && pattern[0] == '*' {
			starAt, retry, starred = pattern[1:], name, true
			pattern = starAt
			continue
		}
		if rest, left, ok := matchOne(pattern, name); ok {
			pattern, name = rest, left
			continue
		}
		if !starred {
			return false
		}
		_, size := utf8.DecodeRuneInString(retry)
		retry = retry[size:]
		pattern, name = starAt, retry
	}
	return strings.Trim(pattern, "*") == ""
}

// MatchClass reports whether the pattern matches one of the names of a class, with / or . as separator.
func (p Pattern) MatchClass(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return p.Match(slashed(name)) })
}

func slashed(name string) string { return strings.ReplaceAll(name, ".", "/") }

// matchOne matches the first character of both.
func matchOne(pattern, name string) (restPattern, restName string, ok bool) {
	if pattern == "" {
		return "", "", false
	}
	char, size := utf8.DecodeRuneInString(name)
	switch pattern[0] {
	case '?':
		return pattern[1:], name[size:], true
	case '[':
		if set, rest, closed := strings.Cut(pattern[1:], "]"); closed && set != "" {
			return rest, name[size:], inSet(set, char)
		}
	}
	if !strings.HasPrefix(pattern, name[:size]) {
		return "", "", false
	}
	return pattern[size:], name[size:], true
}

// inSet reports whether the character is in the set, the text between the brackets.
func inSet(set string, char rune) bool {
	set, others := strings.CutPrefix(set, "!")
	members := []rune(set)
	for i := 0; i < len(members); i++ {
		from, to := members[i], members[i]
		if i+2 < len(members) && members[i+1] == '-' {
			to = members[i+2]
			i += 2
		}
		if from <= char && char <= to {
			return !others
		}
	}
	return others
}

// Any reports whether one of the patterns matches the name.
func Any(patterns []Pattern, name string) bool {
	return slices.ContainsFunc(patterns, func(p Pattern) bool { return p.Match(name) })
}

// CutLast slices a text around the last separator. It splits an argument into a pattern, which may have separators,
// and its suffix.
func CutLast(text, separator string) (before, after string, found bool) {
	at := strings.LastIndex(text, separator)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+len(separator):], true
}
