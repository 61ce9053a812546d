package schema

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/trcx/trcx/internal/sanitize"
)

// messages say for each keyword of the schemas what it demands of a value that does not meet it.
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

// demanded says what a schema demands of the value that was got in a piece, and is not met. otherwise is what the
// validator says.
func demanded(keyword string, demand any, piece, got value, otherwise string) string {
	if demand == false {
		return "does not belong " + where(piece)
	}
	if message, ok := messages[keyword]; ok {
		return message(demand, got)
	}
	return sanitize.Clip(otherwise, shownPointer)
}

// where says in what a member stands that is allowed elsewhere.
func where(piece value) string {
	if event := piece.members["type"]; event.kind == text {
		return "to a " + sanitize.Clip(event.text, shownText)
	}
	return "here"
}

// sortOf is what sort of value was got instead of one of the type.
func sortOf(demand any, got value) string {
	if got.kind == number && demand == "integer" {
		return shown(got)
	}
	return kindNames[got.kind]
}

// article names a type of the schemas in a sentence.
func article(demand any) string {
	name := fmt.Sprint(demand)
	if strings.ContainsRune("aio", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}

// shown is a value in a message.
func shown(v value) string {
	switch v.kind {
	case text:
		return strconv.Quote(sanitize.Clip(v.text, shownText))
	case number:
		return sanitize.Clip(v.text, shownText)
	case yes:
		return "true"
	case no:
		return "false"
	}
	return kindNames[v.kind]
}

// written is a value of a schema as it stands there.
func written(demand any) string {
	text, err := json.Marshal(demand)
	if err != nil {
		return fmt.Sprint(demand)
	}
	return string(text)
}

// listed is how many alternatives a message names.
const listed = 8

// oneOf names the alternatives, or counts them if they are many.
func oneOf(demand any) string {
	all, _ := demand.([]any)
	if len(all) > listed {
		return fmt.Sprintf("one of the %d that the schema lists", len(all))
	}
	var names []string
	for _, alternative := range all {
		names = append(names, written(alternative))
	}
	return "one of " + strings.Join(names, ", ")
}

// missing are the members that an object should have, and has not.
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
