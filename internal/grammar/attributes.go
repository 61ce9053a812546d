package grammar

import (
	"bytes"
	"slices"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/internal/xmlscan"
)

// attributes validates the attributes of the current start tag.
func (v *Validator) attributes(n *named) {
	attributes := v.scanner.Attributes()
	if v.repeated(n, attributes) {
		return
	}
	template, _ := v.scanner.Template()
	if template == 0 {
		v.allAttributes(n, attributes, nil)
		return
	}
	known := v.verdicts.At(template)
	*known = verdict{count: len(attributes), checks: known.checks[:0]}
	if v.allAttributes(n, attributes, known) {
		known.name = n
	}
}

// repeated validates attributes that match, in any order, a template that was valid before. Otherwise it returns false.
func (v *Validator) repeated(n *named, attributes []xmlscan.Attribute) bool {
	template := v.scanner.Arranged()
	if template == 0 {
		return false
	}
	known := v.verdicts.At(template)
	if known.name == nil || known.count != len(attributes) {
		return false
	}
	if len(known.checks) > 0 {
		v.checked(n, known, attributes)
	}
	return true
}

// checked validates those attribute values, in the order of the input, that must be validated in each tag.
func (v *Validator) checked(n *named, known *verdict, attributes []xmlscan.Attribute) {
	if template, _ := v.scanner.Template(); template != 0 {
		for _, check := range known.checks {
			v.value(n, check.attribute, &attributes[check.at])
		}
		return
	}
	for i := range attributes {
		for _, check := range known.checks {
			if check.at == int(attributes[i].Place) {
				v.value(n, check.attribute, &attributes[i])
			}
		}
	}
}

// allAttributes validates attributes that match no template, and reports whether their names are valid. A verdict, if
// given, gets the checks of values that must be validated in each tag.
func (v *Validator) allAttributes(n *named, attributes []xmlscan.Attribute, learned *verdict) (valid bool) {
	unresolved := v.scanner.Unresolved()
	v.round++
	if missing := len(n.element.attributes) - len(v.seen); missing > 0 {
		v.seen = append(v.seen, make([]uint32, missing)...)
	}
	valid = true
	for i := range attributes {
		declared := v.declared(n, attributes[i].Name)
		if declared == nil {
			v.found(RuleAttribute, n.text, v.scanner.TextOf(attributes[i].Name),
				"the attribute %s of %s is not declared", v.scanner.TextOf(attributes[i].Name), n.text)
			valid = false
			continue
		}
		if learned != nil && !declared.free {
			learned.checks = append(learned.checks, check{i, declared})
		}
		if unresolved == "" || attributes[i].Form != xmlscan.Resolved { // else the value is unknown
			v.value(n, declared, &attributes[i])
		}
	}
	for _, i := range n.element.required {
		if v.seen[i] != v.round {
			name := n.element.attributes[i].Name
			v.found(RuleRequired, n.text, name, "%s has no attribute %s, which is required", n.text, name)
			valid = false
		}
	}
	if unresolved != "" && v.grammar.own && len(v.grammar.doctype.Unread) == 0 {
		v.found(RuleEntity, n.text, "", "%s, in the value of an attribute, refers to an entity that is not declared",
			unresolved)
	}
	return valid
}

// declared returns the declaration of the attribute, or nil, and marks the attribute as seen.
func (v *Validator) declared(n *named, id xmlscan.NameID) *attribute {
	if int(id) >= len(n.places) {
		n.places = append(n.places, make([]int32, int(id)+1-len(n.places))...)
	}
	if n.places[id] == 0 {
		n.places[id] = -1
		if i, ok := n.element.byName[v.scanner.TextOf(id)]; ok {
			n.places[id] = i + 1
		}
	}
	place := n.places[id]
	if place < 0 {
		return nil
	}
	v.seen[place-1] = v.round
	return &n.element.attributes[place-1]
}

// value validates the value of an attribute.
func (v *Validator) value(n *named, declared *attribute, a *xmlscan.Attribute) {
	if v.grammar.doctype.Standalone && v.grammar.own && declared.Outside {
		v.standalone(n, declared, a)
	}
	if declared.free {
		return
	}
	text := v.scanner.Value(a)
	if declared.Type == xmlscan.Enumeration && len(declared.Values) <= fewValues &&
		slices.Contains(declared.Values, string(text)) && declared.Presence != xmlscan.Fixed {
		return
	}
	value := string(text)
	if declared.Type != xmlscan.CDATA {
		value = string(xmlscan.CollapseSpaces(nil, text))
	}
	if why := v.grammar.wrong(declared, value); why != "" {
		v.found(RuleValue, n.text, declared.Name, "the attribute %s of %s: %s", declared.Name, n.text, why)
		return
	}
	if declared.Presence == xmlscan.Fixed && value != declared.Default {
		v.found(RuleValue, n.text, declared.Name, "the attribute %s of %s must be %s, not %s", declared.Name, n.text,
			sanitize.Quote(declared.Default), sanitize.Quote(value))
		return
	}
	switch declared.Type {
	case xmlscan.ID:
		v.ids.define(v, n.text, declared.Name, value)
	case xmlscan.IDREF, xmlscan.IDREFS:
		v.ids.refer(v, n.text, declared.Name, value)
	}
}

// fewValues is the number of values up to which they are searched one by one.
const fewValues = 8

// standalone validates an attribute whose declaration is outside of a document that claims to be standalone.
func (v *Validator) standalone(n *named, declared *attribute, a *xmlscan.Attribute) {
	switch a.Form {
	case xmlscan.Defaulted:
		v.found(RuleStandalone, n.text, declared.Name,
			"the attribute %s of %s gets its default from an external declaration, but the document has standalone=\"yes\"",
			declared.Name, n.text)
	case xmlscan.Collapsed:
		v.found(RuleStandalone, n.text, declared.Name,
			"the attribute %s of %s has spaces that an external declaration removes, but the document has "+
				"standalone=\"yes\"", declared.Name, n.text)
	}
}

// identifiers are the values of ID attributes in a document, and the references to them.
type identifiers struct {
	defined map[string]bool
	pending map[string]Finding // references to undefined ids, with the findings to report if they stay undefined
	bytes   int
	full    bool
}

const (
	maxIdentifiers = 32 << 20 // bytes of all ids and their entries in a document
	identifierSize = 100      // bytes of an id's entry, roughly, without its text
	referenceSize  = 400      // bytes of a reference to an id that has not come yet
)

func (i *identifiers) define(v *Validator, element, attribute, id string) {
	if i.defined[id] {
		v.found(RuleValue, element, attribute, "the ID %s occurs twice in the document", sanitize.Quote(id))
		return
	}
	if !i.charge(v, len(id)+identifierSize) {
		return
	}
	if i.defined == nil {
		i.defined = map[string]bool{}
	}
	i.defined[id] = true
	delete(i.pending, id)
}

func (i *identifiers) refer(v *Validator, element, attribute, list string) {
	for part := range bytes.SplitSeq([]byte(list), []byte(" ")) {
		id := string(part)
		if _, known := i.pending[id]; known || i.defined[id] || !i.charge(v, len(id)+referenceSize) {
			continue
		}
		if i.pending == nil {
			i.pending = map[string]Finding{}
		}
		i.pending[id] = Finding{Rule: RuleValue, Position: v.scanner.Position(), Element: element, Attribute: attribute,
			Message: "the attribute " + attribute + " of " + element + " refers to the ID " + sanitize.Quote(id) +
				", which no element has"}
	}
}

// charge counts the bytes of an id or a reference and returns whether they are within the limit. The first excess is a
// finding.
func (i *identifiers) charge(v *Validator, size int) bool {
	if i.bytes += size; i.bytes > maxIdentifiers && !i.full {
		i.full = true
		v.found(RuleValue, "", "",
			"the document has too many IDs and references to them; those from here on are not judged")
	}
	return !i.full
}

// finish reports references to ids that the document does not define.
func (i *identifiers) finish(v *Validator) {
	if i.full {
		return
	}
	for _, finding := range i.pending {
		v.report(finding)
	}
}
