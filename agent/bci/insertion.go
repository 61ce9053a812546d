package bci

import "errors"

// insertedCode is the code to insert into a method.
type insertedCode struct {
	entry      []byte      // before the first instruction, once
	insertions []insertion // in the order of the instructions
	words      int         // additional words of operand stack
	tail       *tail       // handlers after the method's own code; nil for none
}

// insertion is the code to insert before an instruction.
type insertion struct {
	at   int // offset of the instruction
	code []byte
}

func (p *insertedCode) empty() bool { return len(p.entry) == 0 && len(p.insertions) == 0 }

// plan scans the method's instructions and decides what to insert where.
func (w *rewriter) plan(m *method, text []byte, bodies []*Hook) (*insertedCode, error) {
	p := &insertedCode{}
	var atReturn []byte
	var err error
	for _, h := range bodies {
		if p.entry, err = w.report(p, p.entry, h.Before, parameters(m, h.Before.With)); err != nil {
			return nil, err
		}
		if atReturn, err = w.report(p, atReturn, h.After, parameters(m, h.After.With)); err != nil {
			return nil, err
		}
	}
	kept := keptVariables(m, bodies)
	for at := 0; at < len(text); {
		size, err := instructionSize(text, at)
		if err != nil {
			return nil, err
		}
		instruction := text[at : at+size]
		if variable := stored(instruction); 0 <= variable && variable < kept {
			return nil, errors.New("it assigns to a parameter whose value a hook needs when the method returns")
		}
		if opcode := text[at]; opIreturn <= opcode && opcode <= opReturn && atReturn != nil {
			p.insertions = append(p.insertions, insertion{at, atReturn})
		}
		at += size
	}
	return p, nil
}

// parameters returns the instructions that load a method's parameters as arguments of a report.
func parameters(m *method, with Arguments) []byte {
	switch with {
	case Parameter:
		return []byte{opAload1}
	case ObjectAndFlag:
		return []byte{opAload0, opIload2}
	case ObjectAndResult: // which is on the operand stack, and stays there
		return []byte{opDup, opAload0, opSwap}
	}
	var load []byte
	if with.object() {
		load = append(load, opAload0)
	}
	if with.long() {
		load = append(load, opLload0+byte(1-m.access&accStatic/accStatic))
	}
	return load
}

// keptVariables returns the number of words of local variables that must keep their values until the method returns.
func keptVariables(m *method, bodies []*Hook) int {
	kept := 0
	for _, h := range bodies {
		words := 0
		if h.After.With.object() || h.After.With.long() && m.access&accStatic == 0 {
			words++
		}
		if h.After.With.long() {
			words += 2
		}
		kept = max(kept, words)
	}
	return kept
}

// report appends a call of the report's method, after the instructions that load its arguments.
func (w *rewriter) report(p *insertedCode, out []byte, r Report, load []byte) ([]byte, error) {
	if r.none() {
		return out, nil
	}
	reference, err := w.growth.method(recorderClass, r.Name, arguments[r.With].descriptor)
	if err != nil {
		return nil, err
	}
	p.words = max(p.words, arguments[r.With].words)
	return append2(append(append(out, load...), opInvokestatic), reference), nil
}
