package answers

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"

	"github.com/trcx/trcx/analyze/answer"
)

// WriteCSV writes the names of the columns and all rows of the answer as comma-separated values. Durations are in
// nanoseconds, sizes in bytes.
func WriteCSV(out io.Writer, a *answer.Answer) error {
	w := csv.NewWriter(out) // keeps the first error
	var record []string
	for row := range a.CSV {
		record = record[:0]
		for _, cell := range row {
			record = append(record, value(cell))
		}
		if w.Write(record) != nil {
			break
		}
	}
	w.Flush()
	return w.Error()
}

// WriteJSON writes the JSON value of the answer.
func WriteJSON(out io.Writer, a *answer.Answer) error { return WriteValue(out, a.JSON()) }

// JSON returns the JSON of a value, as WriteValue writes it.
func JSON(value any) ([]byte, error) {
	var out bytes.Buffer
	err := WriteValue(&out, value)
	return out.Bytes(), err
}

// WriteValue writes an Object with each item of its lists on a line, Lines, or another value on one line. encoding/json
// escapes HTML characters in an Object, not elsewhere.
func WriteValue(out io.Writer, value any) error {
	w := &jsonWriter{Writer: bufio.NewWriter(out)}
	switch v := value.(type) {
	case answer.Object:
		w.object(v)
	case answer.Lines:
		w.compact = true
		for object := range v {
			w.object(object)
		}
	default:
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(value)
	}
	if err := w.Flush(); w.failed == nil {
		w.failed = err
	}
	return w.failed
}

// jsonWriter keeps the first error of encoding/json.
type jsonWriter struct {
	*bufio.Writer
	compact bool // an object is one line
	failed  error
}

func (w *jsonWriter) object(object answer.Object) {
	separator := "{"
	for _, field := range object {
		w.WriteString(separator) // Flush returns the first error
		if field.Line && !w.compact {
			w.WriteByte('\n')
		}
		w.WriteString(strconv.Quote(field.Name) + ":")
		if list, is := field.Value.(answer.List); is {
			w.list(list)
		} else {
			w.value(field.Value)
		}
		separator = ","
	}
	w.WriteString("}\n")
}

func (w *jsonWriter) list(items answer.List) {
	line := "\n"
	if w.compact {
		line = ""
	}
	w.WriteByte('[')
	separator := line
	for item := range items {
		w.WriteString(separator)
		w.value(item)
		separator = "," + line
	}
	w.WriteByte(']')
}

func (w *jsonWriter) value(value any) {
	text, err := json.Marshal(value)
	if w.failed == nil {
		w.failed = err
	}
	w.Write(text)
}
