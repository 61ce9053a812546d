package schema

import (
	"embed"
	"slices"
)

//go:embed *.schema.json
var schemas embed.FS

// Names lists the names of the JSON Schemas: model for a document, jsonl for a line.
func Names() []string { return []string{"model", "jsonl"} }

// Text returns the JSON Schema of the name.
func Text(name string) (text string, ok bool) {
	if !slices.Contains(Names(), name) {
		return "", false
	}
	content, err := schemas.ReadFile(name + ".schema.json")
	return string(content), err == nil
}
