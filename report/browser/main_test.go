package browser

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/chromedp/chromedp"

	"mcsim/report/internal/sample"
	"mcsim/report/page"
	"mcsim/report/site"
	"mcsim/sim/attention/example"
	"mcsim/sim/claim"
	"mcsim/sim/result"
)

// install is the line that brings what these tests need.
const install = ".ci/tools browser"

var (
	chromium context.Context // nil without a browser
	siteDir  string          // folder of the rendered site
	address  string          // where it is served
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	flag.Parse()
	if testing.Short() {
		return m.Run() // every test skips
	}
	program := find("chromium", "google-chrome", "google-chrome-stable", "chromium-browser")
	if program == "" {
		fmt.Fprintln(os.Stderr, "report/browser: no Chromium; `"+install+"` installs it")
		if os.Getenv("CI") != "" {
			return 1
		}
		return m.Run() // every test skips
	}
	dir, err := os.MkdirTemp("", "mcsim-site-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	// The browser writes into its profile for a moment after it has ended.
	defer func() { time.Sleep(200 * time.Millisecond); os.RemoveAll(dir) }()
	siteDir = filepath.Join(dir, "site")
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	// A browser may ask for the icon of a figure that is opened by itself, which has none.
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(siteDir)))
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	server := httptest.NewServer(mux)
	defer server.Close()
	address = server.URL

	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.UserDataDir(filepath.Join(dir, "profile")),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	ctx, cancel := chromedp.NewContext(allocator)
	defer cancel()
	if err := chromedp.Do(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "report/browser:", err)
		return 1
	}
	chromium = ctx
	return m.Run()
}

// hostiles is the number of sites of hostile names, each with a part of them.
const hostiles = 2

// write renders the site, with the lab's program, and more below it, without: records of names
// that never end and of hostile names.
func write() error {
	name := strings.Repeat("long", 40)
	program := filepath.Join(filepath.Dir(siteDir), "program")
	if err := buildLab(program); err != nil {
		return err
	}
	doc := sample.Essay()
	doc.Examples, doc.Claims = example.All(), claim.Judge(claim.Embedded(), doc.Estimates)
	render := func(doc *result.Document, about page.Run, below string, lab fs.FS) error {
		_, err := site.Write(doc, about, filepath.Join(siteDir, below), site.Options{Lab: lab})
		return err
	}
	about := page.Run{Version: "v0", Host: name, Date: time.Unix(0, 0)}
	if err := render(doc, about, "", os.DirFS(program)); err != nil {
		return err
	}
	long := sample.OneDistribution(name, 8)
	long.Plan = []byte(`{"name": "` + name + `"}`)
	if err := render(long, about, "long", fstest.MapFS{}); err != nil {
		return err
	}
	for i := 0; i < hostiles; i += hostileStep {
		var texts []string
		for j := i; j < len(sample.Hostile); j += hostiles {
			texts = append(texts, sample.Hostile[j])
		}
		about := page.Run{Version: texts[0], Host: texts[1], Date: time.Unix(0, 0)}
		if err := render(sample.HostileDocument(texts...), about, hostile(i), fstest.MapFS{}); err != nil {
			return err
		}
	}
	return nil
}

func hostile(i int) string { return fmt.Sprintf("hostile%d", i) }

func find(names ...string) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// needBrowser skips a test without a browser, and under -short.
func needBrowser(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("opens a browser")
	}
	if chromium == nil {
		t.Skip("no Chromium; to run this: " + install)
	}
}

// pages are the names of the pages of the site.
func pages(t *testing.T) []string {
	t.Helper()
	needBrowser(t)
	found, err := filepath.Glob(filepath.Join(siteDir, "*.html"))
	if err != nil || len(found) < 6 {
		t.Fatalf("%d pages in %s (%v)", len(found), siteDir, err)
	}
	for i, path := range found {
		found[i] = filepath.Base(path)
	}
	return found
}
