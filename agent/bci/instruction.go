package bci

import "fmt"

// Opcodes.
const (
	opIstore        = 0x36
	opAstore        = 0x3a
	opIstore0       = 0x3b
	opAstore3       = 0x4e
	opAload0        = 0x2a
	opAload1        = 0x2b
	opIload2        = 0x1c
	opLload0        = 0x1e
	opDup           = 0x59
	opSwap          = 0x5f
	opIinc          = 0x84
	opRet           = 0xa9
	opTableswitch   = 0xaa
	opIreturn       = 0xac
	opReturn        = 0xb1
	opInvokespecial = 0xb7
	opInvokestatic  = 0xb8
	opNew           = 0xbb
	opAthrow        = 0xbf
	opSipush        = 0x11
	opLdcW          = 0x13
	opWide          = 0xc4
)

// shapes are the sizes of instructions by opcode, sixteen a line; b is a branch of 16 bits, w one of 32, t and l are
// tableswitch and lookupswitch, x is wide.
const shapes = "" +
	"1111111111111111" +
	"2323322222111111" +
	"1111111111111111" +
	"1111112222211111" +
	"1111111111111111" +
	"1111111111111111" +
	"1111111111111111" +
	"1111111111111111" +
	"1111311111111111" +
	"111111111bbbbbbb" +
	"bbbbbbbbb2tl1111" +
	"1133333335532311" +
	"3311x4bbww"

const (
	jumpSize     = 3
	wideJumpSize = 5
)

// instructionSize returns the size in bytes of the instruction at an offset.
func instructionSize(text []byte, at int) (int, error) {
	opcode := int(text[at])
	if opcode >= len(shapes) {
		return 0, fmt.Errorf("unknown opcode %#02x at offset %d", opcode, at)
	}
	var size int
	switch shape := shapes[opcode]; shape {
	case 'b':
		size = jumpSize
	case 'w':
		size = wideJumpSize
	case 't', 'l':
		size = switchSize(text, at)
	case 'x':
		size = wideSize(text, at)
	default:
		size = int(shape - '0')
	}
	if size == 0 || size > len(text)-at {
		return 0, fmt.Errorf("the instruction %#02x at offset %d is incomplete or invalid", opcode, at)
	}
	return size, nil
}

// wideSize returns the size of a wide instruction, 0 for an invalid one.
func wideSize(text []byte, at int) int {
	if at+1 >= len(text) {
		return 0
	}
	switch opcode := text[at+1]; {
	case opcode == opIinc:
		return 6
	case 0x15 <= opcode && opcode <= 0x19, opIstore <= opcode && opcode <= opAstore, opcode == opRet: // loads, stores
		return 4
	}
	return 0
}

// padding returns the number of bytes after the opcode of a switch at an offset, which align its operands.
func padding(at int) int { return 3 - at&3 }

// switchSize returns the size of a switch, 0 for an invalid one.
func switchSize(text []byte, at int) int {
	head, fixed, caseSize := at+1+padding(at), 8, 8
	if text[at] == opTableswitch {
		fixed, caseSize = 12, 4
	}
	if len(text)-head < fixed {
		return 0
	}
	cases := get4(text[head+4:])
	if text[at] == opTableswitch {
		cases = get4(text[head+8:]) - cases + 1
	}
	if cases < 0 || cases > len(text) {
		return 0
	}
	return head - at + fixed + cases*caseSize
}

// stored returns the local variable that an instruction writes, -1 if none. For a long or a double, it is the first of
// two words.
func stored(instruction []byte) int {
	switch opcode := instruction[0]; {
	case opcode == opWide && (instruction[1] == opIinc || opIstore <= instruction[1] && instruction[1] <= opAstore):
		return get2(instruction[2:])
	case opcode == opIinc || opIstore <= opcode && opcode <= opAstore:
		return int(instruction[1])
	case opIstore0 <= opcode && opcode <= opAstore3:
		return int(opcode-opIstore0) % 4
	}
	return -1
}
