package options

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/internal/suggest"
)

// syntax is a syntax of options: the options that a list can have.
type syntax struct {
	of      string // name of the agent or profiler in messages; "" in the short form
	options []option
}

// option is a row of a form.
type option struct {
	name  string
	value string // name of its value in messages; "" for a switch
	about string
	group string // at most one option of a group may be given; "" is a group of one
	set   setter
}

// setter sets a field to an option's value, which is "" for a switch. The error says what would be right.
type setter func(o *Options, value string) error

// parse sets the options of a list.
func (f *syntax) parse(o *Options, list string) error {
	if list == "" {
		return nil
	}
	given := map[string]string{} // name of the given option, by group
	last := ""
	for _, item := range split(list, ',') {
		name, raw, valued := strings.Cut(item, "=")
		if item == "" {
			return errors.New(
				`an option is missing between two commas, or after the last; a comma in a value is written \,`)
		}
		option := f.find(name)
		switch {
		case option == nil && last == tokenOption: // it may be part of the token and is not shown
			return errors.New(`the text after the token is not an option; a comma in the token is written \,`)
		case option == nil:
			return f.unknown(name)
		}
		last = name
		group := cmp.Or(option.group, option.name)
		if before, twice := given[group]; twice {
			return contradiction(before, name)
		}
		given[group] = name
		if err := option.assign(o, raw, valued); err != nil {
			return err
		}
	}
	return nil
}

func contradiction(before, name string) error {
	if before == name {
		return fmt.Errorf("%s is given twice", name)
	}
	return fmt.Errorf("%s and %s exclude each other", before, name)
}

func (f *syntax) find(name string) *option {
	for i := range f.options {
		if f.options[i].name == name {
			return &f.options[i]
		}
	}
	return nil
}

// unknown returns the error for a name that is not an option.
func (f *syntax) unknown(name string) error {
	has := "there is no option"
	if f.of != "" {
		has = f.of + " has no option"
	}
	var names []string
	for _, option := range f.options {
		names = append(names, option.name)
	}
	if near := suggest.Nearest(name, names); near != "" {
		return fmt.Errorf(`%s %s; did you mean %s?`, has, sanitize.Quote(name), near)
	}
	return fmt.Errorf(`%s %s, only %s; a comma in a value is written \,`, has, sanitize.Quote(name),
		strings.Join(names, ", "))
}

// String returns the option with the name of its value.
func (o *option) String() string { return Item(o.name, o.value) }

// assign sets the option's field. raw is the value as it is in the list.
func (o *option) assign(to *Options, raw string, valued bool) error {
	value, err := unescape(raw)
	switch {
	case o.value == "" && valued:
		return fmt.Errorf("%s takes no value", o.name)
	case o.value != "" && raw == "":
		return fmt.Errorf("%s needs a value: %s", o.name, o)
	case err == nil:
		err = o.set(to, value)
	}
	switch {
	case err == nil:
		return nil
	case o.group == groupToken:
		return fmt.Errorf("%s: %w", o.name, err)
	}
	return fmt.Errorf("%s=%s: %w", o.name, sanitize.Quote(raw), err)
}

// describe writes a line of help for each option.
func (f *syntax) describe(b *strings.Builder) {
	for i := range f.options {
		fmt.Fprintf(b, "  %-28s %s\n", &f.options[i], f.options[i].about)
	}
}

// Item returns an option as part of a list in the short form: a switch if the value is "".
func Item(name, value string) string {
	if value == "" {
		return name
	}
	return name + "=" + escaper.Replace(value)
}

// items are the options of a list in the short form.
type items []string

// add appends an option unless its value is "".
func (list *items) add(name, value string) {
	list.addUnless(value == "", name, value)
}

// addUnless appends an option, a switch if its value is "".
func (list *items) addUnless(not bool, name, value string) {
	if !not {
		*list = append(*list, Item(name, value))
	}
}

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
