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

// tab is a tab of the browser. It records faults and requests until a check removes them.
type tab struct {
	context.Context
	t        *testing.T
	mu       sync.Mutex
	faults   []string // messages of the console, exceptions, and files that were not loaded
	requests []string // requested addresses
}

// open opens an empty tab, which is closed at the end of the test.
func open(t *testing.T) *tab {
	t.Helper()
	requireBrowser(t)
	ctx, cancel := chromedp.NewContext(chromium)
	// The limit is only for a tab that hangs, and is long enough for slow machines.
	ctx, stop := context.WithTimeout(ctx, 10*time.Minute)
	t.Cleanup(func() { stop(); cancel() })
	b := &tab{Context: ctx, t: t}
	must(t, chromedp.Listen(ctx, b.record))
	_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	must(t, err)
	return b
}

// record stores an event if it is a fault or a request. Violations of the content security policy
// are among the faults.
func (b *tab) record(event any) {
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
		b.requests = append(b.requests, e.Request.URL)
	case *network.EventLoadingFailed:
		b.faults = append(b.faults, "did not load: "+e.ErrorText)
	}
}

// visit opens a page in a colour scheme.
func (b *tab) visit(address, scheme string) {
	b.t.Helper()
	b.emulate("screen", scheme)
	must(b.t, chromedp.Do(b, chromedp.Navigate(address)))
}

// emulate sets the medium, screen or print, and the colour scheme.
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

// evaluate runs a script in the tab and returns its result. If the result is a promise, evaluate
// waits for its value.
func evaluate[T any](b *tab, script string) T {
	b.t.Helper()
	value, err := chromedp.Run(b, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	must(b.t, err)
	return value
}

// screenshot returns a JPEG of the page, or only of the beginning of a long page.
func (b *tab) screenshot(width int64) []byte {
	const maxHeight = 4000 // CSS pixels
	b.t.Helper()
	height := evaluate[float64](b, "document.documentElement.scrollHeight")
	quality, beyondViewport := int64(80), true
	shot, err := chromedp.Call(b, page.CaptureScreenshot, page.CaptureScreenshotParams{
		Format: page.CaptureScreenshotFormatJpeg, Quality: &quality, CaptureBeyondViewport: &beyondViewport,
		Clip: &page.Viewport{Width: float64(width), Height: min(height, maxHeight), Scale: 1},
	})
	must(b.t, err)
	return shot.Data
}

// checkFaults fails the test for each fault since the last check, and for each request whose
// address does not begin with an allowed prefix. Then it clears both.
func (b *tab) checkFaults(path string, allowedPrefixes ...string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range b.faults {
		b.t.Errorf("%s: %s", path, f)
	}
	for _, a := range b.requests {
		isAllowed := strings.HasPrefix(a, "data:")
		for _, prefix := range allowedPrefixes {
			isAllowed = isAllowed || strings.HasPrefix(a, prefix)
		}
		if !isAllowed {
			b.t.Errorf("%s requests %s, want only addresses that begin with one of %q", path, a, allowedPrefixes)
		}
	}
	b.faults, b.requests = nil, nil
}

// clearFaults clears the faults and requests without checking them.
func (b *tab) clearFaults() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults, b.requests = nil, nil
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
