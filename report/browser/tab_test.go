package browser

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// tab is a tab of the browser and what went wrong in it.
type tab struct {
	context.Context
	t      *testing.T
	mu     sync.Mutex
	faults []string
	asked  []string // addresses that were requested
}

// open opens an empty tab, which closes with the test.
func open(t *testing.T) *tab {
	t.Helper()
	needBrowser(t)
	ctx, cancel := chromedp.NewContext(chromium)
	// Only a tab that hangs needs a limit: a slow machine is no fault.
	ctx, stop := context.WithTimeout(ctx, 10*time.Minute)
	t.Cleanup(func() { stop(); cancel() })
	b := &tab{Context: ctx, t: t}
	must(t, chromedp.Listen(ctx, b.hear))
	_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	must(t, err)
	return b
}

// hear notes messages of the console, among them every violation of the
// content security policy, and requests.
func (b *tab) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *log.EventEntryAdded:
		b.faults = append(b.faults, fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL))
	case *runtime.EventConsoleAPICalled:
		b.faults = append(b.faults, fmt.Sprintf("console %s", e.Type))
	case *runtime.EventExceptionThrown:
		b.faults = append(b.faults, e.ExceptionDetails.Text)
	case *network.EventRequestWillBeSent:
		b.asked = append(b.asked, e.Request.URL)
	case *network.EventLoadingFailed:
		b.faults = append(b.faults, "did not load: "+e.ErrorText)
	}
}

// visit opens a page in a scheme of colours.
func (b *tab) visit(address, scheme string) {
	b.t.Helper()
	b.emulate("screen", scheme)
	must(b.t, chromedp.Do(b, chromedp.Navigate(address)))
}

// emulate shows the page on a medium in a scheme of colours.
func (b *tab) emulate(medium, scheme string) {
	b.t.Helper()
	_, err := chromedp.Call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: medium,
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	must(b.t, err)
}

func (b *tab) resize(width, height int64) {
	b.t.Helper()
	must(b.t, chromedp.Do(b, chromedp.EmulateViewport(width, height)))
}

// evaluate runs a script in the tab and waits for what it promises.
func evaluate[T any](b *tab, script string) T {
	b.t.Helper()
	value, err := chromedp.Run(b, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	must(b.t, err)
	return value
}

// screenshot is a JPEG of the page, or of the start of a long one, which would take seconds.
func (b *tab) screenshot(width int64) []byte {
	const maxHeight = 4000 // CSS pixels
	b.t.Helper()
	height := evaluate[float64](b, "document.documentElement.scrollHeight")
	quality, beyond := int64(80), true
	shot, err := chromedp.Call(b, page.CaptureScreenshot, page.CaptureScreenshotParams{
		Format: page.CaptureScreenshotFormatJpeg, Quality: &quality, CaptureBeyondViewport: &beyond,
		Clip: &page.Viewport{Width: float64(width), Height: min(height, maxHeight), Scale: 1},
	})
	must(b.t, err)
	return shot.Data
}

// sound reports what went wrong so far, and every request to elsewhere.
func (b *tab) sound(at string, own ...string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range b.faults {
		b.t.Errorf("%s: %s", at, f)
	}
	for _, a := range b.asked {
		fine := strings.HasPrefix(a, "data:")
		for _, prefix := range own {
			fine = fine || strings.HasPrefix(a, prefix)
		}
		if !fine {
			b.t.Errorf("%s asks for %s", at, a)
		}
	}
	b.faults, b.asked = nil, nil
}

// forget drops what went wrong so far, and what was asked for.
func (b *tab) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults, b.asked = nil, nil
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
