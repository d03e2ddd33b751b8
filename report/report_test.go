package report

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcsim/report/internal/sample"
	"mcsim/report/view"
	"mcsim/sim/result"
)

var (
	keep = flag.String("keep", "", "folder to leave a site of the sample in, to look at it")
	from = flag.String("from", "", "results.json to render into -keep instead")
)

var aRun = view.Run{Version: "v0.0.0-test", Host: "a-host", Wall: time.Second}

// TestKeep writes a site that one can look at.
func TestKeep(t *testing.T) {
	if *keep == "" {
		t.Skip("no -keep")
	}
	doc := sample.Document()
	if *from != "" {
		data, err := os.ReadFile(*from)
		if err != nil {
			t.Fatal(err)
		}
		doc = &result.Document{}
		if err := json.Unmarshal(data, doc); err != nil {
			t.Fatal(err)
		}
	}
	if err := Write(doc, aRun, *keep, Options{}); err != nil {
		t.Fatal(err)
	}
	if *from == "" {
		sample.Break(doc, 30, result.Undecided)
		sample.Break(doc, 3, result.Fail)
		if err := Write(doc, aRun, filepath.Join(*keep, "broken"), Options{}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWrite(t *testing.T) {
	if testing.Short() {
		t.Skip("TestSums writes the same files")
	}
	dir := filepath.Join(t.TempDir(), "new", "out")
	if err := Write(sample.Document(), aRun, dir, Options{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"index.html", "variance.html", "exponents.html", "checks.html", "methods.html", "report.md", "style.css",
		"figures/scaled.svg", "figures/scaled-narrow.svg", "figures/scaled.png", "figures/variance.svg", "figures/slope.svg",
	} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The digests are those of the files, and of no file that differs from
// machine to machine.
func TestSums(t *testing.T) {
	if testing.Short() {
		t.Skip("draws the whole site")
	}
	dir := t.TempDir()
	for _, name := range []string{"results.json", "run.json", "nodes.bin"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := Write(sample.Document(), aRun, dir, Options{}); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(list)) {
		digest, name, _ := strings.Cut(strings.TrimSpace(l), "  ")
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || fmt.Sprintf("%x", sha256.Sum256(data)) != digest {
			t.Errorf("%s has not the digest %s (%v)", name, digest, err)
		}
	}
	for name, want := range map[string]bool{"results.json": true, "index.html": true, "report.md": true, "figures/scaled.svg": true,
		"figures/scaled.csv": true, "math.css": true, "run.json": false, "run.html": false, "nodes.bin": false, "figures/scaled.png": false, "SHA256SUMS": false} {
		if strings.Contains(string(list), "  "+name+"\n") != want {
			t.Errorf("%s is listed: %v", name, !want)
		}
	}
}
