package main

import (
	"fmt"
	"io"
	"time"

	"github.com/trcx/trcx/convert"
)

// progress draws the part of the inputs that has been read, on a terminal.
type progress struct {
	quit, done chan struct{}
}

// Nothing is drawn for short work.
const (
	drawAfter = time.Second
	drawEvery = 200 * time.Millisecond
)

// startProgress begins to draw, unless it is off or the standard error is no terminal.
func (env *environment) startProgress(inputs *convert.Inputs, off bool) *progress {
	if off || inputs.Size == 0 || !isTerminal(env.stderr) {
		return nil
	}
	p := &progress{make(chan struct{}), make(chan struct{})}
	go p.draw(env.stderr, inputs)
	return p
}

func (p *progress) draw(out io.Writer, inputs *convert.Inputs) {
	defer close(p.done)
	began := time.Now()
	next := time.NewTimer(drawAfter)
	for drawn := false; ; drawn = true {
		select {
		case <-p.quit:
			if drawn {
				fmt.Fprint(out, "\r\x1b[K")
			}
			return
		case <-next.C:
			fmt.Fprintf(out, "\r%s\x1b[K", progressLine(inputs.Read(), inputs.Size, time.Since(began)))
			next.Reset(drawEvery)
		}
	}
}

// stop ends the drawing and clears the line.
func (p *progress) stop() {
	if p != nil {
		close(p.quit)
		<-p.done
	}
}

// progressLine returns the percentage, the rate and the time left. Sizes are in bytes.
func progressLine(done, whole int64, elapsed time.Duration) string {
	share := min(float64(done)/float64(whole), 1)
	rate := float64(done) / elapsed.Seconds() / 1e6
	if share == 0 {
		return fmt.Sprintf("%3.0f %%", 0.0)
	}
	left := time.Duration(float64(elapsed) * (1 - share) / share).Round(time.Second)
	return fmt.Sprintf("%3.0f %%, %.0f MB/s, %v left", share*100, rate, left)
}
