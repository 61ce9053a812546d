package main

import (
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// gesture is something that users do, and its preparation; only act is measured.
type gesture struct {
	name    string
	limited bool // whether its frames have to keep the limit
	prepare func(*page) error
	act     func(*page) error
}

// pace is the time between two events of a hand.
const pace = 16 * time.Millisecond

// The modifier keys, as numbered by the protocol.
const (
	ctrl  = 2
	shift = 8
)

var gestures = []gesture{
	{"zoom in with the wheel", true, (*page).whole, func(p *page) error { return p.wheels(55, -100, ctrl) }},
	{"zoom out with the wheel", true, (*page).deep, func(p *page) error { return p.wheels(55, 100, ctrl) }},
	{"zoom in and out, fast", true, (*page).whole, func(p *page) error {
		return firstError(p.wheels(15, -300, ctrl),
			p.wheels(15, 300, ctrl))
	}},
	{"zoom with keys", true, (*page).whole, func(p *page) error {
		return firstError(p.keys("+", 18), p.keys("-", 18))
	}},
	{"drag, an eighth of the trace", true, (*page).eighth, func(p *page) error { return p.drags(90, 14, 0) }},
	{"drag, closer", true, (*page).closer, func(p *page) error { return p.drags(90, 14, 0) }},
	{"drag, very close", true, (*page).deep, func(p *page) error { return p.drags(90, 14, 0) }},
	{"drag aslant", true, (*page).eighth, func(p *page) error { return p.drags(90, 9, 5) }},
	{"pan with keys", true, (*page).eighth, func(p *page) error {
		return firstError(p.keys(kb.ArrowRight, 40),
			p.keys(kb.ArrowLeft, 40))
	}},
	{"pan with the wheel", true, (*page).eighth, func(p *page) error { return p.wheels(60, 60, shift) }},
	{"scroll threads, the whole trace", true, (*page).whole, func(p *page) error {
		return firstError(p.wheels(50, 80, 0), p.wheels(50, -80, 0))
	}},
	{"scroll threads, an eighth", true, (*page).eighth, func(p *page) error {
		return firstError(p.wheels(50, 80, 0),
			p.wheels(50, -80, 0))
	}},
	{"hover", false, (*page).whole, func(p *page) error { return p.hovers(100) }},
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// whole shows the whole trace.
func (p *page) whole() error {
	return firstError(p.focus(), p.keys("0", 1), p.rest())
}

// eighth shows about an eighth of the trace, in its middle.
func (p *page) eighth() error {
	return firstError(p.whole(), p.keys("+", 5), p.rest())
}

// closer shows about a two-hundredth of the trace.
func (p *page) closer() error {
	return firstError(p.whole(), p.keys("+", 13), p.rest())
}

// deep shows about a hundred-thousandth of the trace.
func (p *page) deep() error {
	return firstError(p.whole(), p.keys("+", 28), p.rest())
}

func (p *page) focus() error {
	_, err := ask[bool](p, `(document.querySelector("canvas.timeline-lanes").focus({preventScroll: true}), true)`)
	return err
}

// middle returns a place among the lanes.
func (p *page) middle() (x, y float64) {
	return p.chart.Left + 0.47*p.chart.Width, p.chart.Top + 0.4*p.chart.Height
}

// wheels turns the wheel the given number of times. The protocol needs both directions, and the library omits zeros.
func (p *page) wheels(times int, turn float64, modifiers int64) error {
	x, y := p.middle()
	return p.paced(times, func(int) error {
		return p.mouse(input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: x, Y: y,
			DeltaX: 0.001, DeltaY: turn, Modifiers: modifiers})
	})
}

// drags drags to the left and back again, each the given number of times.
func (p *page) drags(times int, by, down float64) error {
	x, y := p.middle()
	button := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMousePressed, X: x, Y: y,
		Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1}
	if err := p.mouse(button); err != nil {
		return err
	}
	button.Type = input.DispatchMouseEventTypeMouseMoved
	err := p.paced(times, func(i int) error {
		if i < times/2 {
			button.X, button.Y = button.X-by, button.Y-down
		} else {
			button.X, button.Y = button.X+by, button.Y+down
		}
		return p.mouse(button)
	})
	button.Type, button.Buttons = input.DispatchMouseEventTypeMouseReleased, 0
	return firstError(err, p.mouse(button))
}

// hovers moves the pointer over the lanes.
func (p *page) hovers(times int) error {
	x, y := p.chart.Left+20, p.chart.Top+20
	return p.paced(times, func(i int) error {
		return p.mouse(input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved,
			X: x + 11*float64(i%120), Y: y + 5*float64(i%100)})
	})
}

func (p *page) mouse(event input.DispatchMouseEventParams) error {
	_, err := chromedp.Call(p.ctx, input.DispatchMouseEvent, event)
	return err
}

func (p *page) keys(key string, times int) error {
	return p.paced(times, func(int) error { return chromedp.Do(p.ctx, chromedp.KeyEvent(key)) })
}

// paced repeats an act, no faster than a hand.
func (p *page) paced(times int, act func(int) error) error {
	for i := range times {
		next := time.Now().Add(pace)
		if err := act(i); err != nil {
			return err
		}
		time.Sleep(time.Until(next))
	}
	return nil
}
