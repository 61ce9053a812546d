package options

import (
	"errors"
	"strings"
)

// escaped are the bytes that mean themselves behind a backslash.
const escaped = `,;\`

// escaper writes a value for a list in the short form.
var escaper = strings.NewReplacer(`,`, `\,`, `\`, `\\`)

// split cuts the text at each separator that is not behind a backslash. The parts stay as they are.
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

// unescape takes the backslashes away that make what follows mean itself.
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

// withoutToken is the agent's text as others may see it.
func withoutToken(text string) string {
	parts := split(text, ',')
	for i, part := range parts {
		if strings.HasPrefix(part, tokenOption+"=") {
			parts[i] = tokenOption + "=***"
		}
	}
	return strings.Join(parts, ",")
}
