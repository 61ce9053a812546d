package trcxml

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/trcx/trcx/internal/xmltext"
	"github.com/trcx/trcx/trace"
)

// TestEncoders proves that an Encoder writes the same as Append for any kind, attributes and values.
func TestEncoders(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 2))
	for range 5000 {
		kind := trace.Kind(1 + random.IntN(int(trace.KindCount)-1))
		attributes := chosen(random, kind)
		if len(attributes) == 0 {
			continue
		}
		encoder := NewEncoder(kind, attributes...)
		for range 4 {
			event, values := filled(random, kind, attributes)
			compare(t, encoder.AppendAround(nil, nil, values...), Append(nil, event))
			inner := []byte(`<annotation name="stack" value="1:2 3"/>`)
			event.Extra = &trace.Extra{Inner: inner}
			compare(t, encoder.AppendAround(nil, inner, values...), Append(nil, event))
		}
	}
}

func compare(t *testing.T, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// chosen returns a random part of the kind's attributes, in the order of the table.
func chosen(random *rand.Rand, kind trace.Kind) (attributes []trace.Attr) {
	for _, attribute := range kind.Element().Attributes {
		if random.IntN(3) > 0 {
			attributes = append(attributes, attribute.Attr)
		}
	}
	return attributes
}

// filled returns an element with random values, and the values.
func filled(random *rand.Rand, kind trace.Kind, attributes []trace.Attr) (*trace.Event, []Value) {
	event, values := &trace.EventBuilder{}, []Value(nil)
	event.Reset(kind)
	row := kind.Element()
	for _, attribute := range attributes {
		position := row.Position(attribute)
		switch number := anyNumber(random); {
		case row.Attributes[position].Type == trace.Clock:
			event.SetValue(position, []byte(trace.Time(number).String()))
			values = append(values, Number(number))
		case random.IntN(2) == 0:
			event.SetValue(position, strconv.AppendInt(nil, number, 10))
			values = append(values, Number(number))
		default:
			text := texts[random.IntN(len(texts))]
			event.SetText(attribute, text)
			values = append(values, Text(xmltext.AppendValue(nil, trace.EscapeJava(nil, text))))
		}
	}
	return &event.Event, values
}

var texts = []string{"", "main", `<a b="c">&'`, "tab\tline\nreturn\r", "\x00\x01", "\xED\xA0\x80", "☃ 𝄞",
	`\u0041 \x41 \u005C`, "\uFFFE"}

// numbers are critical values: at the ends of seconds and of the range.
var numbers = []int64{0, 1, -1, 9, 10, 99, 100, second - 1, second, second + 1, -second, 1_700_000_000_000_000_000,
	1_700_000_000_999_999_999,
	1_700_000_001_000_000_000, math.MaxInt64, math.MinInt64 + 1}

func anyNumber(random *rand.Rand) int64 {
	if random.IntN(2) == 0 {
		return numbers[random.IntN(len(numbers))]
	}
	return 1_700_000_000_000_000_000 + random.Int64N(4*second)
}

// TestImpossibleEncoders: NewEncoder panics for attributes that the element does not have.
func TestImpossibleEncoders(t *testing.T) {
	for _, attributes := range [][]trace.Attr{{}, {trace.AttrTime, trace.AttrTime},
		{trace.AttrTimeout, trace.AttrPID}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("monWait with %v is accepted", attributes)
				}
			}()
			NewEncoder(trace.MonWait, attributes...)
		}()
	}
}

// TestFormsDoNotAllocate: an Encoder allocates nothing.
func TestFormsDoNotAllocate(t *testing.T) {
	encoder := NewEncoder(trace.MonWait, trace.AttrThreadIDRef, trace.AttrTime, trace.AttrObjIDRef, trace.AttrTimeout)
	line := make([]byte, 0, 256)
	time := int64(1_700_000_000_000_000_000)
	if n := testing.AllocsPerRun(1000, func() {
		time += 1_000_003
		line = encoder.AppendAround(line[:0], nil, Number(7), Number(time), Number(12345), Number(1000))
	}); n > 0 {
		t.Errorf("%v allocations a line", n)
	}
}

func BenchmarkEncoder(b *testing.B) {
	encoder := NewEncoder(trace.MonContendedEnter, trace.AttrThreadIDRef, trace.AttrTime, trace.AttrObjIDRef,
		trace.AttrThreadOwner)
	line := make([]byte, 0, 256)
	time := int64(1_700_000_000_000_000_000)
	for b.Loop() {
		time += 1003
		line = encoder.AppendAround(line[:0], nil, Number(37), Number(time), Number(12345), Number(42))
	}
	b.SetBytes(int64(len(line)))
}
