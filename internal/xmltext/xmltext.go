// Package xmltext escapes text for XML documents.
package xmltext

import "bytes"

// AppendValue appends the value of an attribute as it is between double quotes in a document.
func AppendValue(dst, value []byte) []byte { return appendEscaped(dst, value, &inValue) }

// AppendText appends character data as it is between tags in a document.
func AppendText(dst, text []byte) []byte { return appendEscaped(dst, text, &inText) }

// references has the reference for each byte that needs one; "" for the others.
type references ['>' + 1]string

var (
	inValue = references{'&': "&amp;", '<': "&lt;", '"': "&quot;", '\t': "&#9;", '\n': "&#10;", '\r': "&#13;"}
	inText  = references{'&': "&amp;", '<': "&lt;", '>': "&gt;", '\r': "&#13;"}
)

func appendEscaped(dst, text []byte, references *references) []byte {
	copied := 0
	for i, c := range text {
		if int(c) < len(references) && references[c] != "" {
			dst = append(append(dst, text[copied:i]...), references[c]...)
			copied = i + 1
		}
	}
	return append(dst, text[copied:]...)
}

// Resolve returns the text of an attribute's value, with references resolved; see AppendValue.
func Resolve(value []byte) []byte {
	if bytes.IndexByte(value, '&') < 0 {
		return value
	}
	for c, reference := range inValue {
		if reference != "" && c != '&' {
			value = bytes.ReplaceAll(value, []byte(reference), []byte{byte(c)})
		}
	}
	return bytes.ReplaceAll(value, []byte(inValue['&']), []byte{'&'})
}
