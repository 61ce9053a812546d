package validate

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

var (
	objectSize      = ruleOf("object-size")
	objectUndefined = ruleOf("object-undefined")
)

// maxAlignment is the largest alignment that a JVM has.
const maxAlignment = 256

// maxSizes limits the classes whose sizes are compared.
const maxSizes = 1 << 18

// classSizes has, by class, the text of its objects' size; None for classes whose objects differ.
type classSizes map[threadstate.Key]threadstate.Key

// varies are classes whose objects have different sizes: with static fields, or with frames.
var varies = map[string]bool{"java/lang/Class": true, "jdk/internal/vm/StackChunk": true}

// classDef notes whether all objects of a class have one size, and the object of the class itself.
func (c *Checker) classDef(e *trace.Event, _ *thread) {
	if object := threadstate.KeyOf(e.Value(trace.AttrObjIDRef)); object.Names() {
		c.classObjects.add(object)
		if c.dump != nil {
			c.dump.missing.remove(object)
		}
	}
	name, class := e.Text(trace.AttrName), threadstate.KeyOf(e.Value(trace.AttrClassID))
	if strings.HasPrefix(name, "[") || varies[name] {
		c.setSize(class, threadstate.None)
	} else {
		delete(c.sizes, class)
	}
}

func (c *Checker) setSize(class, size threadstate.Key) {
	if c.sizes == nil {
		c.sizes = classSizes{}
	}
	if _, known := c.sizes[class]; known || len(c.sizes) < maxSizes {
		c.sizes[class] = size
	}
}

// option notes the alignment of objects.
func (c *Checker) option(e *trace.Event, _ *thread) {
	if string(e.Value(trace.AttrKey)) != trace.OptionAlignment {
		return
	}
	alignment, err := strconv.ParseUint(string(e.Value(trace.AttrValue)), 10, 64)
	if err == nil && alignment%trace.LeastAlignment == 0 && alignment > 0 && alignment <= maxAlignment {
		c.alignment = alignment
	}
}

// checkSize checks the size of an object. Most objects have the size of others of their class.
func (c *Checker) checkSize(e *trace.Event) {
	class, text := c.ids[classSpace], e.Value(trace.AttrSize)
	key := threadstate.KeyOf(text)
	other, known := c.sizes[class]
	if known && other == key || c.Logs {
		return
	}
	size, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil {
		return
	}
	if size == 0 || size%c.alignment != 0 {
		c.report(objectSize, trace.AttrSize, func() string {
			return fmt.Sprintf("the size %d of %s is not a multiple of %d: want the size of the object with its header", size,
				e.Name(), c.alignment)
		})
		return
	}
	if kind := e.Value(trace.AttrIsArray); !class.Names() || len(kind) > 0 && string(kind) != "0" {
		return
	}
	switch {
	case !known:
		c.setSize(class, key)
	case other != threadstate.None:
		c.report(objectSize, trace.AttrSize, func() string {
			return fmt.Sprintf("the size %d of %s differs from other objects of class %s", size, e.Name(),
				c.text(trace.AttrClassIDRef))
		})
		c.setSize(class, threadstate.None)
	}
}

// objAlloc with a size is an event of the thread, and shows that the agent records all allocations or samples of them.
func (c *Checker) objAlloc(e *trace.Event, _ *thread) {
	if c.dump != nil {
		c.dumpObject(e, threadstate.KeyOf(e.Value(trace.AttrObjID)))
	}
	if !e.Has(trace.AttrSize) {
		return
	}
	c.checkSize(e)
	if interval, ok := e.Extra.Annotation(trace.NoteInterval); ok && interval != "0" {
		c.sampled = true
	} else {
		c.sized = true
	}
	c.involve(acts, threadstate.KeyOf(e.Value(trace.AttrThreadIDRef)))
}
