package bci

import (
	"fmt"
	"slices"
	"testing"
)

// TestDebugInformationMoved proves that hooks everywhere in compiled programs change neither the line of an
// instruction, nor the local variables that are live at it, nor the targets of branches.
func TestDebugInformationMoved(t *testing.T) {
	j := jdks(t)[0]
	folder := t.TempDir()
	j.compile(t, folder, "testdata/ControlFlow.java", "testdata/Behaviour.java", "testdata/Extract.java")
	compared := 0
	rewriteFolder(t, folder, func(path string, class []byte) []byte {
		result, err := Rewrite(class, everywhere)
		if err != nil || result.LeftAlone != nil {
			t.Fatalf("%s: %v, %d methods rewritten, left alone %v", path, err, result.Methods, result.LeftAlone)
		}
		if result.Class == nil {
			return nil // an interface
		}
		before, errBefore := readClass(class)
		after, errAfter := readClass(result.Class)
		if errBefore != nil || errAfter != nil {
			t.Fatal(errBefore, errAfter)
		}
		for i := range before.methods {
			want, got := described(t, before, &before.methods[i], 1<<16), described(t, after, &after.methods[i],
				len(before.pool.places))
			if !slices.Equal(got, want) {
				t.Errorf("%s, %s:\n%q, want\n%q", path, before.methods[i].name, got, want)
			}
			compared += len(want)
		}
		return nil
	})
	t.Logf("%d instructions compared", compared)
	if compared < 1000 {
		t.Error("those are too few")
	}
}

// described returns for each instruction of a method the opcode, its line, its local variables, and the numbers of the
// instructions it branches to. Inserted code is left out: calls with constants from the first number on, and the loads
// before them. A branch to it counts as one to the next original instruction.
func described(t *testing.T, cl *class, m *method, first int) []string {
	if m.code == nil {
		return nil
	}
	code, err := readCode(m.code)
	if err != nil {
		t.Fatal(err)
	}
	numbers, kept := numbered(t, cl, code.text, first)
	var lines []string
	for _, at := range kept {
		text := fmt.Sprintf("%02x line %d", code.text[at], lineAt(code.attribute(cl, "LineNumberTable"), at))
		for _, table := range []string{"LocalVariableTable", "LocalVariableTypeTable"} {
			text += fmt.Sprint(" ", variablesAt(code.attribute(cl, table), at))
		}
		for _, to := range jumps(code.text, at) {
			text += fmt.Sprintf(" to %d", numbers[to])
		}
		lines = append(lines, text)
	}
	return lines
}

// numbered returns the numbers of a method's original instructions by offset, and their offsets.
func numbered(t *testing.T, cl *class, text []byte, first int) (numbers map[int]int, kept []int) {
	numbers = make(map[int]int)
	for at := 0; at < len(text); {
		size, err := instructionSize(text, at)
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, at)
		if text[at] == opInvokestatic && get2(text[at+1:]) >= first {
			descriptor := cl.pool.method(get2(text[at+1:])).Descriptor
			loads := map[string]int{"()V": 0, "(J)V": 1, "(Ljava/lang/Object;)V": 1,
				"(Ljava/lang/Object;J)V": 2}[descriptor]
			kept = kept[:len(kept)-1-loads]
		}
		at += size
	}
	number := 0
	for at := range text {
		numbers[at] = number
		if number < len(kept) && at == kept[number] {
			number++
		}
	}
	return numbers, kept
}

// lineAt returns the line of an instruction, 0 if it has none.
func lineAt(table []byte, at int) int {
	line, nearest := 0, -1
	for row := 2; row < len(table); row += lineSize {
		if from := get2(table[row:]); from <= at && from > nearest {
			line, nearest = get2(table[row+2:]), from
		}
	}
	return line
}

// variablesAt returns the numbers of the rows of local variables that are live at an instruction.
func variablesAt(table []byte, at int) []int {
	var rows []int
	for row := 2; row < len(table); row += variableSize {
		if from := get2(table[row:]); from <= at && at < from+get2(table[row+2:]) {
			rows = append(rows, row)
		}
	}
	return rows
}

// jumps returns the offsets that an instruction branches to.
func jumps(text []byte, at int) []int {
	head := at + 1 + padding(at)
	switch shapes[text[at]] {
	case 'b':
		return []int{at + int(int16(get2(text[at+1:])))}
	case 'w':
		return []int{at + get4(text[at+1:])}
	case 't':
		to := []int{at + get4(text[head:])}
		for i := range get4(text[head+8:]) - get4(text[head+4:]) + 1 {
			to = append(to, at+get4(text[head+12+4*i:]))
		}
		return to
	case 'l':
		to := []int{at + get4(text[head:])}
		for i := range get4(text[head+4:]) {
			to = append(to, at+get4(text[head+12+8*i:]))
		}
		return to
	}
	return nil
}
