package schema

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/trcx/trcx/internal/sanitize"
)

// messages maps the keywords of the schemas to messages for values that violate them.
var messages = map[string]func(demand any, got value) string{
	"type": func(demand any, got value) string {
		return "must be " + article(demand) + ", but is " + sortOf(demand, got)
	},
	"enum":  func(demand any, got value) string { return "must be " + oneOf(demand) + ", but is " + shown(got) },
	"const": func(demand any, got value) string { return "must be " + written(demand) + ", but is " + shown(got) },
	"pattern": func(demand any, got value) string {
		return fmt.Sprintf("must match %v, but is %s", demand,
			shown(got))
	},
	"minimum": func(demand any, got value) string {
		return fmt.Sprintf("must be at least %v, but is %s", demand, shown(got))
	},
	"minItems": func(demand any, got value) string {
		return fmt.Sprintf("must have %v items or more, but has %d", demand, len(got.items))
	},
	"minLength":   func(_ any, got value) string { return "is too short: " + shown(got) },
	"uniqueItems": func(any, value) string { return "has an item twice" },
	"not":         func(_ any, got value) string { return "must not be " + shown(got) },
	"required":    func(demand any, got value) string { return "has no " + strings.Join(missing(demand, got), ", ") },
	"dependentRequired": func(demand any, _ value) string {
		return fmt.Sprintf("has %v, but no %v", inside(demand, "0"), inside(demand, "1"))
	},
}

// demanded returns the message for a value of a piece that violates a keyword. otherwise is the validator's message.
func demanded(keyword string, demand any, piece, got value, otherwise string) string {
	if demand == false {
		return "does not belong " + where(piece)
	}
	if message, ok := messages[keyword]; ok {
		return message(demand, got)
	}
	return sanitize.Clip(otherwise, maxShownPointer)
}

// where names the object to which a member does not belong.
func where(piece value) string {
	if event := piece.members["type"]; event.kind == text {
		return "to a " + sanitize.Clip(event.text, maxShownText)
	}
	return "here"
}

// sortOf names the kind of a value that has the wrong type.
func sortOf(demand any, got value) string {
	if got.kind == number && demand == "integer" {
		return shown(got)
	}
	return kindNames[got.kind]
}

// article returns a schema's type with its article.
func article(demand any) string {
	name := fmt.Sprint(demand)
	if strings.ContainsRune("aio", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}

// shown formats a value for a message.
func shown(v value) string {
	switch v.kind {
	case text:
		return strconv.Quote(sanitize.Clip(v.text, maxShownText))
	case number:
		return sanitize.Clip(v.text, maxShownText)
	case yes:
		return "true"
	case no:
		return "false"
	}
	return kindNames[v.kind]
}

// written formats a schema's value as JSON.
func written(demand any) string {
	text, err := json.Marshal(demand)
	if err != nil {
		return fmt.Sprint(demand)
	}
	return string(text)
}

// maxListed limits the alternatives that a message names.
const maxListed = 8

// oneOf lists the alternatives, or counts them beyond maxListed.
func oneOf(demand any) string {
	all, _ := demand.([]any)
	if len(all) > maxListed {
		return fmt.Sprintf("one of the %d that the schema lists", len(all))
	}
	var names []string
	for _, alternative := range all {
		names = append(names, written(alternative))
	}
	return "one of " + strings.Join(names, ", ")
}

// missing returns the required members that an object lacks.
func missing(demand any, got value) []string {
	var names []string
	required, _ := demand.([]any)
	for _, name := range required {
		if _, ok := got.members[fmt.Sprint(name)]; !ok {
			names = append(names, fmt.Sprint(name))
		}
	}
	return names
}
