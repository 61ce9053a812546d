package rows

import (
	"encoding/binary"
	"errors"
)

// AppendKey appends the canonical binary form of the key: equal keys have equal forms.
func (k *Key) AppendKey(to []byte) []byte {
	for _, text := range k.texts() {
		to = appendText(to, *text)
	}
	return appendText(binary.AppendUvarint(to, k.Line), k.Time)
}

// AppendValue appends the canonical binary form of the value: equal values have equal forms.
func (v *Value) AppendValue(to []byte) []byte {
	for _, number := range v.numbers() {
		to = binary.AppendUvarint(to, *number)
	}
	to = binary.AppendVarint(to, v.Start)
	to = appendText(appendText(to, v.Status), v.Text)
	for _, bucket := range v.Buckets {
		to = binary.AppendUvarint(binary.AppendUvarint(to, bucket[0]), bucket[1])
	}
	return to
}

// numbers are the fields that are numbers without a sign, in the order of columns.
func (v *Value) numbers() [11]*uint64 {
	return [...]*uint64{&v.Count, &v.Open, &v.Total, &v.Min, &v.Max, &v.Monitors, &v.Threads, &v.Traces, &v.Length,
		&v.Events, &v.Bytes}
}

func appendText[T string | []byte](to []byte, text T) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

var errBinary = errors.New("the binary form of a row is damaged")

// ParseKey parses what AppendKey has appended.
func ParseKey(form []byte) (k Key, err error) {
	r := reader{form: form}
	for _, text := range k.texts() {
		*text = r.text()
	}
	k.Line, k.Time = r.number(), r.text()
	if r.failed || len(r.form) > 0 {
		return k, errBinary
	}
	return k, nil
}

// ParseValue parses what AppendValue has appended.
func ParseValue(form []byte) (v Value, err error) {
	r := reader{form: form}
	for _, number := range v.numbers() {
		*number = r.number()
	}
	start, n := binary.Varint(r.form)
	r.skip(n)
	v.Start, v.Status, v.Text = start, r.text(), r.text()
	for len(r.form) > 0 && !r.failed {
		v.Buckets = append(v.Buckets, [2]uint64{r.number(), r.number()})
	}
	if r.failed {
		return v, errBinary
	}
	return v, nil
}

// AppendForms appends the binary forms of a row's key and value, with their lengths.
func AppendForms(to, key, value []byte) []byte {
	return appendText(appendText(to, key), value)
}

// ParseForms returns the rows that AppendForms has appended. The error is for forms that it has not.
func ParseForms(forms []byte) (all []Row, err error) {
	for r := (reader{form: forms}); len(r.form) > 0 && err == nil; {
		var row Row
		key, value := []byte(r.text()), []byte(r.text())
		if row.Key, err = ParseKey(key); err == nil {
			row.Value, err = ParseValue(value)
		}
		all = append(all, row)
	}
	return all, err
}

// reader reads binary forms.
type reader struct {
	form   []byte
	failed bool
}

func (r *reader) skip(n int) {
	if n <= 0 || n > len(r.form) {
		r.form, r.failed = nil, true
		return
	}
	r.form = r.form[n:]
}

func (r *reader) number() uint64 {
	number, n := binary.Uvarint(r.form)
	r.skip(n)
	return number
}

func (r *reader) text() string {
	size := r.number()
	if size > uint64(len(r.form)) {
		r.form, r.failed = nil, true
		return ""
	}
	text := string(r.form[:size])
	r.form = r.form[size:]
	return text
}
