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
	"slices"
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

// installCommand installs the programs that these tests need.
const installCommand = ".ci/tools browser"

var (
	chromium context.Context // context of the running browser; nil if there is none
	siteDir  string          // folder of the rendered site
	address  string          // address at which siteDir is served
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	flag.Parse()
	if testing.Short() {
		return m.Run() // every test skips
	}
	program := findProgram("chromium", "google-chrome", "google-chrome-stable", "chromium-browser")
	if program == "" {
		fmt.Fprintln(os.Stderr, "report/browser: no Chromium; `"+installCommand+"` installs it")
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
	// The browser still writes into its profile for a moment after it has been stopped.
	defer func() { time.Sleep(200 * time.Millisecond); os.RemoveAll(dir) }()
	siteDir = filepath.Join(dir, "site")
	if err := writeSites(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	// If a browser opens a figure as a page, it may request an icon, which a figure does not have.
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

// hostileSites is the number of sites with hostile names. Each site has a part of the names.
const hostileSites = 2

// writeSites renders the site with the lab's program. In folders of the site, it renders a record
// with very long names, and records with hostile names.
func writeSites() error {
	longName := strings.Repeat("long", 40)
	program := filepath.Join(filepath.Dir(siteDir), "program")
	if err := buildLab(program); err != nil {
		return err
	}
	doc := sample.Essay()
	doc.Examples, doc.Claims = example.NewExamples(), claim.Judge(claim.Embedded(), doc.Estimates)
	render := func(doc *result.Document, runFacts page.Run, folder string, lab fs.FS) error {
		_, err := site.Write(doc, runFacts, filepath.Join(siteDir, folder), site.Options{Lab: lab})
		return err
	}
	runFacts := page.Run{Version: "v0", Host: longName, Date: time.Unix(0, 0)}
	if err := render(doc, runFacts, "", os.DirFS(program)); err != nil {
		return err
	}
	long := sample.OneDistribution(longName, 8)
	long.Plan = []byte(`{"name": "` + longName + `"}`)
	if err := render(long, runFacts, "long", fstest.MapFS{}); err != nil {
		return err
	}
	for i := 0; i < hostileSites; i += hostileStep {
		var texts []string
		for j := i; j < len(sample.Hostile); j += hostileSites {
			texts = append(texts, sample.Hostile[j])
		}
		runFacts := page.Run{Version: texts[0], Host: texts[1], Date: time.Unix(0, 0)}
		if err := render(sample.HostileDocument(texts...), runFacts, hostileFolder(i), fstest.MapFS{}); err != nil {
			return err
		}
	}
	return nil
}

func hostileFolder(i int) string { return fmt.Sprintf("hostile%d", i) }

// findProgram returns the path of the first program that is installed, or "".
func findProgram(names ...string) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// requireBrowser skips the test without a browser, and with -short.
func requireBrowser(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("opens a browser")
	}
	if chromium == nil {
		t.Skip("Chromium is not installed; to install it: " + installCommand)
	}
}

// pages returns the names of the files of the site's pages.
func pages(t *testing.T) []string {
	t.Helper()
	requireBrowser(t)
	found, err := filepath.Glob(filepath.Join(siteDir, "*.html"))
	if err != nil || len(found) < 6 {
		t.Fatalf("found %d pages in %s (%v), want at least 6", len(found), siteDir, err)
	}
	found = slices.DeleteFunc(found, func(path string) bool { return filepath.Base(path) == "embed.html" }) // a frame
	for i, path := range found {
		found[i] = filepath.Base(path)
	}
	return found
}
