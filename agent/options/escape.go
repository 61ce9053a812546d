package options

import (
	"errors"
	"strings"
)

// escaped are the bytes that a backslash escapes.
const escaped = `,;\`

// escaper escapes a value for a list in the short form.
var escaper = strings.NewReplacer(`,`, `\,`, `\`, `\\`)

// split cuts the text at each separator without a backslash before it. The parts keep their backslashes.
func split(text string, separator byte) (parts []string) {
	start := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case separator:
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	return append(parts, text[start:])
}

// unescape removes the backslashes before escaped bytes.
func unescape(text string) (string, error) {
	if strings.IndexByte(text, 0) >= 0 {
		return "", errors.New("a zero byte cannot be part of a value")
	}
	if !strings.Contains(text, `\`) {
		return text, nil
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' {
			if i++; i == len(text) || strings.IndexByte(escaped, text[i]) < 0 {
				return "", errors.New(`a backslash in a value is written \\, a comma \,`)
			}
		}
		b.WriteByte(text[i])
	}
	return b.String(), nil
}

// withoutToken returns the agent's text with the token masked.
func withoutToken(text string) string {
	parts := split(text, ',')
	for i, part := range parts {
		if strings.HasPrefix(part, tokenOption+"=") {
			parts[i] = tokenOption + "=***"
		}
	}
	return strings.Join(parts, ",")
}
