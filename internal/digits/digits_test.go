package digits

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// parse returns the number in a word of eight digits; ok is false if one of the bytes is not a digit.
func parse(word uint64) (value uint64, ok bool) {
	values := word ^ Zeros
	return Join(values), Others(values) == 0
}

// TestNumbers proves that numbers of eight digits are parsed and split as strconv does.
func TestNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		number := random.Uint64N(100_000_000)
		text := fmt.Sprintf("%08d", number)
		word := binary.LittleEndian.Uint64([]byte(text))
		if got, ok := parse(word); got != number || !ok {
			t.Errorf("%s is parsed as %d, %v", text, got, ok)
		}
		if got := split(number) ^ Zeros; got != word {
			t.Errorf("%s is split to %#x", text, got)
		}
	}
}

// TestOthers proves that the first byte that is not a digit is found.
func TestOthers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		var text [8]byte
		digits := random.IntN(9)
		for i := range text {
			text[i] = byte('0' + random.IntN(10))
		}
		if digits < 8 {
			text[digits] = "/:aZ\x00\xff\x80\xb0"[random.IntN(8)]
		}
		word := binary.LittleEndian.Uint64(text[:])
		_, err := strconv.ParseUint(string(text[:]), 10, 64)
		if _, ok := parse(word); ok != (err == nil) {
			t.Errorf("%q is accepted: %v", text, ok)
		}
		if flags := Others(word ^ Zeros); digits < 8 && flags>>(8*digits+7)&1 != 1 ||
			flags&(1<<(8*digits)-1) != 0 {
			t.Errorf("%q has flags %#x", text, flags)
		}
	}
}

func TestAppend(t *testing.T) {
	check := func(value uint64) {
		if got, want := string(Append([]byte("x"), value)), "x"+strconv.FormatUint(value, 10); got != want {
			t.Errorf("%d is written as %s", value, got)
		}
	}
	for shift := range 64 {
		for delta := range uint64(3) {
			check(1<<shift + delta - 1)
		}
	}
	for power := uint64(1); power < 1e19; power *= 10 {
		check(power - 1)
		check(power)
		check(power + 1)
	}
	for four := range uint64(10000) {
		check(four)
		check(four * 10000)
		check(four*10000 + 9999 - four)
	}
	check(math.MaxUint64)
}
