package bci

import (
	"errors"

	"github.com/trcx/trcx/internal/sanitize"
)

// Result is what came of a class.
type Result struct {
	// Class is the rewritten class file, nil if no hook fits, or all methods that one fits were left alone.
	Class []byte
	// Methods is how many methods were rewritten.
	Methods int
	// LeftAlone are the methods that hooks fit, and that are as they were, because they could not be rewritten safely.
	LeftAlone []LeftAlone
}

// LeftAlone is a method that was not rewritten, by its name and descriptor, of which at most 200 bytes each are shown.
type LeftAlone struct {
	Method string
	Reason error
}

// Rewrite puts the hooks into a class. An error says why the class was left alone as a whole: it is no class file, or
// not a sound one, or it has no room for the constants that are needed. The class is not changed; what is returned is a
// new one.
//
// A class that already names the Recorder is not changed.
func Rewrite(data []byte, hooks []Hook) (Result, error) {
	if !Candidate(data, hooks) {
		_, err := readClass(data)
		return Result{}, err
	}
	cl, err := readClass(data)
	if err != nil {
		return Result{}, err
	}
	w := &rewriter{class: cl, hooks: hooks, growth: growth{next: len(cl.pool.places), added: make(map[Report]int)}}
	w.findCalls()
	return w.rewrite()
}

// rewriter rewrites a class.
type rewriter struct {
	class  *class
	hooks  []Hook
	calls  map[int][]*Hook // hooks that may fit calls of a method, by the constant that refers to it
	growth growth
}

// patch is what comes in the place of a method's Code attribute.
type patch struct {
	from, to int // in the class file
	with     []byte
}

// findCalls looks for the methods that hooks are about among those that the class calls.
func (w *rewriter) findCalls() {
	w.calls = make(map[int][]*Hook)
	for i, place := range w.class.pool.places {
		if place == 0 || w.class.pool.tag(i) != tagMethodref && w.class.pool.tag(i) != tagInterfaceMethodref {
			continue
		}
		called := w.class.pool.method(i)
		for h := range w.hooks {
			if hook := &w.hooks[h]; hook.Site == AtCalls && called.Name != "" && w.class.names(called, hook.Method) {
				w.calls[i] = append(w.calls[i], hook)
			}
		}
	}
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
			result.LeftAlone = append(result.LeftAlone,
				LeftAlone{sanitize.Clip(m.name, 200) + sanitize.Clip(m.descriptor, 200), err})
		case code != nil:
			at := m.codeAt + attributeHead
			patches = append(patches, patch{m.codeAt + 2, at + len(m.code), append(append4(nil, len(code)), code...)})
		}
	}
	if len(patches) > 0 {
		result.Class, result.Methods = w.assemble(patches), len(patches)
	}
	return result, nil
}

// assemble puts the class together: more constants, and other Code attributes.
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

// method returns the new content of the method's Code attribute; nil if no hook fits.
func (w *rewriter) method(m *method) ([]byte, error) {
	bodies := w.bodies(m)
	if m.code == nil || len(bodies) == 0 && len(w.calls) == 0 {
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
	return code.rewrite(w.class.pool, p)
}

// bodies are the hooks that are in the method itself.
func (w *rewriter) bodies(m *method) []*Hook {
	var bodies []*Hook
	for i := range w.hooks {
		h := &w.hooks[i]
		if h.Site == InBody && h.Method.fits(w.class.name, m.name, m.descriptor) &&
			h.fitsBody(m.access&accStatic != 0, m.name, m.descriptor) {
			bodies = append(bodies, h)
		}
	}
	return bodies
}
