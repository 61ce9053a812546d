// Package jsonform is the JSON form of stack frames, which several analyses name.
package jsonform

import (
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/trace"
)

// Frame is a stack frame for encoding/json. Unknown fields are "" or absent.
type Frame struct {
	Class  jsontext.String `json:"class"`
	Method jsontext.String `json:"method"`
	File   jsontext.String `json:"file,omitempty"`
	Line   *int32          `json:"line,omitempty"`
	// In is the library's method that the frame called; nil for none.
	In *Method `json:"in,omitempty"`
	// Outer are the calls of the program below it, for people; "" if unknown or not wanted.
	Outer jsontext.String `json:"outer,omitempty"`
}

// Method is a method for encoding/json.
type Method struct {
	Class  jsontext.String `json:"class"`
	Method jsontext.String `json:"method"`
}

// FrameOf returns the frame for encoding/json, or nil if its method is unknown.
func FrameOf(f trace.Frame) *Frame {
	if f.Method == nil {
		return nil
	}
	frame := &Frame{Class: jsontext.String(f.Method.Class), Method: jsontext.String(f.Method.Name),
		File: jsontext.String(f.Method.File), Outer: jsontext.String(wording.Outer(f.Outer))}
	if f.Inner != nil {
		frame.In = &Method{Class: jsontext.String(f.Inner.Class), Method: jsontext.String(f.Inner.Name)}
	}
	if f.Line != trace.NoLine {
		frame.Line = &f.Line
	}
	return frame
}
