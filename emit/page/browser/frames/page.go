package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/profiler"
	"github.com/chromedp/chromedp"
)

const (
	width    = 1600
	height   = 900
	patience = 60 * time.Second
)

// page is the page that is measured.
type page struct {
	ctx      context.Context
	address  string
	profiles string // the folder for profiles; "" for none
	parts    bool   // whether to print what took how long
	chart    box    // the lanes
}

// box is the place of something in the window, in pixels.
type box struct{ Left, Top, Width, Height float64 }

// open starts a browser.
func open(address, profiles string) (*page, error) {
	path, err := chromium()
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		chromedp.WindowSize(width, height), chromedp.Flag("disable-gpu", true))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, _ := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, _ := chromedp.NewContext(allocator)
	if err := chromedp.Do(ctx); err != nil {
		return nil, err
	}
	p := &page{ctx: ctx, address: address, profiles: profiles}
	if _, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{
		Enabled: true}); err != nil {
		return nil, err
	}
	_, err = chromedp.Call(ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: height, DeviceScaleFactor: 1})
	return p, err
}

func chromium() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chromium-headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("Chromium is not installed: run make deps")
}

func (p *page) close() {
	chromedp.Cancel(p.ctx) //nolint:errcheck // everything has been measured
}

// watch notes in the page itself when the lanes, and then the whole first picture, are drawn. It looks before each
// frame.
const watch = `(() => {
	const look = () => {
		const timeline = document.querySelector(".timeline"), overview = document.querySelector(".timeline-overview");
		const lanes = timeline && document.querySelector(".timeline-label") && !timeline.hasAttribute("aria-busy");
		if (lanes) self.lanesShown ??= performance.now();
		if (lanes && overview.getAttribute("aria-busy") !== "true") setTimeout(() => self.allShown = performance.now());
		else requestAnimationFrame(look);
	};
	requestAnimationFrame(look);
})()`

// firstPicture navigates, and returns after how many milliseconds the lanes and the whole picture were drawn.
func (p *page) firstPicture() (lanes, all float64, err error) {
	if _, err := chromedp.Call(p.ctx, cdppage.AddScriptToEvaluateOnNewDocument,
		cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: watch}); err != nil {
		return 0, 0, err
	}
	if err := chromedp.Do(p.ctx, chromedp.Navigate(p.address+"#tab=timeline")); err != nil {
		return 0, 0, err
	}
	if err := p.until(`self.allShown > 0`); err != nil {
		return 0, 0, err
	}
	if p.chart,
		err = ask[box](p,
		`(() => { const b = document.querySelector("canvas.timeline-lanes").getBoundingClientRect(); return {Left: b.x, Top: b.y, Width: b.width, Height: b.height} })()`); err != nil {
		return 0, 0, err
	}
	if lanes, err = ask[float64](p, `self.lanesShown`); err != nil {
		return 0, 0, err
	}
	all, err = ask[float64](p, `self.allShown`)
	return lanes, all, err
}

func ask[T any](p *page, expression string) (T, error) {
	return chromedp.Run(p.ctx, chromedp.Evaluate[T](expression))
}

// until waits for an expression to be true.
func (p *page) until(expression string) error {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if is, err := ask[bool](p, expression); is || err != nil {
			return err
		}
	}
	return errors.New("it does not come to this: " + expression)
}

// rest waits until nothing more is to come.
func (p *page) rest() error {
	time.Sleep(700 * time.Millisecond) // the page learns late that a gesture is over
	return p.until(`!document.querySelector(".timeline").hasAttribute("aria-busy")`)
}

// profiled runs an act, and keeps a profile of its scripts if that is wanted.
func (p *page) profiled(name string, act func() error) error {
	if p.profiles == "" {
		return act()
	}
	if _, err := chromedp.Call(p.ctx, profiler.Enable, cdp.Empty{}); err != nil {
		return err
	}
	if _, err := chromedp.Call(p.ctx, profiler.SetSamplingInterval, profiler.SetSamplingIntervalParams{
		Interval: 200}); err != nil {
		return err
	}
	if _, err := chromedp.Call(p.ctx, profiler.Start, cdp.Empty{}); err != nil {
		return err
	}
	if err := act(); err != nil {
		return err
	}
	result, err := chromedp.Call(p.ctx, profiler.Stop, cdp.Empty{})
	if err != nil {
		return err
	}
	return keepProfile(p.profiles, name, result.Profile)
}
