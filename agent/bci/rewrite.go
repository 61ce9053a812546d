package bci

import (
	"errors"

	"github.com/trcx/trcx/internal/sanitize"
)

// Result is the result of rewriting a class.
type Result struct {
	// Class is the rewritten class file, nil if no hook matches or all matching methods were left alone.
	Class []byte
	// Methods is the number of rewritten methods.
	Methods int
	// LeftAlone are the methods that match hooks and were not changed, because they could not be rewritten safely.
	LeftAlone []LeftAlone
}

// LeftAlone is a method that was not rewritten, with its name and descriptor, each cut at 200 bytes.
type LeftAlone struct {
	Method string
	Reason error
}

// Rewrite applies the hooks to a class file and returns a new one; data is not changed. A class that refers to the
// Recorder already stays as it is. The error says why the class as a whole was left alone: it is not a valid class
// file, or its constant pool is full.
func Rewrite(data []byte, hooks []Hook) (Result, error) { return rewriteWith(data, hooks, movers) }

// rewriteWith rewrites as Rewrite does, with these functions for the attributes of Code.
func rewriteWith(data []byte, hooks []Hook, movers map[string]mover) (Result, error) {
	if !candidate(data, hooks) {
		_, err := readClass(data)
		return Result{}, err
	}
	cl, err := readClass(data)
	if err != nil {
		return Result{}, err
	}
	return newRewriter(cl, hooks, movers).rewrite()
}

// rewriter rewrites a class.
type rewriter struct {
	class  *class
	hooks  []Hook
	movers map[string]mover
	growth growth
}

func newRewriter(cl *class, hooks []Hook, movers map[string]mover) *rewriter {
	return &rewriter{class: cl, hooks: hooks, movers: movers, growth: growth{next: len(cl.pool.places)}}
}

// patch is the replacement of a method's Code attribute.
type patch struct {
	from, to int // offsets in the class file
	with     []byte
}

// patch returns the replacement of the method's Code attribute by one with this content.
func (m *method) patch(code []byte) patch {
	at := m.codeAt + attributeHead
	return patch{m.codeAt + 2, at + len(m.code), append(append4(nil, len(code)), code...)}
}

func (m *method) leftAlone(reason error) LeftAlone {
	return LeftAlone{sanitize.Clip(m.name, 200) + sanitize.Clip(m.descriptor, 200), reason}
}

// rewrite rewrites the methods.
func (w *rewriter) rewrite() (Result, error) {
	var result Result
	var patches []patch
	for i := range w.class.methods {
		m := &w.class.methods[i]
		code, err := w.method(m)
		switch {
		case errors.Is(err, errFull):
			return Result{}, err
		case err != nil:
			result.LeftAlone = append(result.LeftAlone, m.leftAlone(err))
		case code != nil:
			patches = append(patches, m.patch(code))
		}
	}
	if len(patches) > 0 {
		result.Class, result.Methods = w.assemble(patches), len(patches)
	}
	return result, nil
}

// assemble returns the class file with the appended constants and the replaced Code attributes.
func (w *rewriter) assemble(patches []patch) []byte {
	data, size := w.class.data, len(w.class.data)+len(w.growth.constants)
	for _, p := range patches {
		size += len(p.with) - (p.to - p.from)
	}
	out := append(make([]byte, 0, size), data[:poolAt]...)
	out = append(append2(out, w.growth.next), data[poolAt+2:w.class.poolEnd]...)
	out = append(out, w.growth.constants...)
	at := w.class.poolEnd
	for _, p := range patches {
		out = append(append(out, data[at:p.from]...), p.with...)
		at = p.to
	}
	return append(out, data[at:]...)
}

// method returns the new content of the method's Code attribute, nil if no hook matches.
func (w *rewriter) method(m *method) ([]byte, error) {
	bodies := w.bodies(m)
	if m.code == nil || len(bodies) == 0 {
		return nil, nil
	}
	code, err := readCode(m.code)
	if err != nil {
		return nil, err
	}
	p, err := w.plan(m, code.text, bodies)
	if err != nil || p.empty() {
		return nil, err
	}
	return code.rewrite(w.class.pool, p, w.movers)
}

// bodies returns the hooks in the method's body.
func (w *rewriter) bodies(m *method) []*Hook {
	var bodies []*Hook
	for i := range w.hooks {
		h := &w.hooks[i]
		if h.Method.matches(w.class.name, m.name, m.descriptor) &&
			h.fits(m.access&accStatic != 0, m.name, m.descriptor) {
			bodies = append(bodies, h)
		}
	}
	return bodies
}
