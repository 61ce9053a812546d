package model

import (
	"embed"
	"slices"
)

//go:embed *.schema.json
var schemas embed.FS

// Schemas lists the names of the JSON Schemas: model for a document, jsonl for a line.
func Schemas() []string { return []string{"model", "jsonl"} }

// Schema returns the JSON Schema of the name.
func Schema(name string) (text string, ok bool) {
	if !slices.Contains(Schemas(), name) {
		return "", false
	}
	content, err := schemas.ReadFile(name + ".schema.json")
	return string(content), err == nil
}
