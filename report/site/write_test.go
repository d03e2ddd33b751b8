package site

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

	"mcsim/report/essay"
	"mcsim/report/internal/sample"
	"mcsim/report/page"
	"mcsim/sim/attention/example"
	"mcsim/sim/result"
)

var (
	keepFolder  = flag.String("keep", "", "folder into which TestKeep writes a site of the sample")
	resultsFile = flag.String("from", "", "results.json that TestKeep renders instead of the sample")
)

var testRun = page.Run{Version: "v0.0.0-test", Host: "a-host", WallTime: time.Second}

// TestKeep writes a site into the folder of the flag -keep, to be looked at in a browser. It tests
// nothing.
func TestKeep(t *testing.T) {
	if *keepFolder == "" {
		t.Skip("the flag -keep is not set")
	}
	doc := sample.Document()
	if *resultsFile != "" {
		data, err := os.ReadFile(*resultsFile)
		if err != nil {
			t.Fatal(err)
		}
		doc = &result.Document{}
		if err := json.Unmarshal(data, doc); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Write(doc, testRun, *keepFolder, Options{}); err != nil {
		t.Fatal(err)
	}
}

// TestStalePagesAreRemoved writes the site of an essay and then, into the same folder, the site of
// a record. The second must remove the pages that only the first had, and no other files.
func TestStalePagesAreRemoved(t *testing.T) {
	if testing.Short() {
		t.Skip("draws two sites")
	}
	dir := filepath.Join(t.TempDir(), "new", "out")
	doc := sample.Essay()
	doc.Examples = example.NewExamples()
	write := func(doc *result.Document) essay.Report {
		findings, err := Write(doc, testRun, dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return findings
	}
	if r := write(doc); len(r.Missing)+len(r.Unmet) > 0 || len(r.Findings) == 0 {
		t.Errorf("got %+v, want findings that the document supports", r)
	}
	if err := os.WriteFile(filepath.Join(dir, "own.html"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	record := sample.Document() // lacks estimates that the essay reads, so Write makes the site of a record
	if r := write(record); len(r.Missing) == 0 {
		t.Errorf("got %+v, want missing estimates", r)
	}
	for name, want := range map[string]bool{ // whether the file exists
		"index.html": true, "own.html": true, "gates.csv": true, "figures/scaled.svg": true,
		"record.html": false, "softmax.html": false, "lab.html": false,
	} {
		_, err := os.Stat(filepath.Join(dir, name))
		if exists := err == nil; exists != want {
			t.Errorf("%s exists: %v, want %v", name, exists, want)
		}
	}
}

// TestSums checks that SHA256SUMS has the digests of the files that are the same on every machine,
// and of no others.
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
	doc := sample.Essay()
	doc.Examples = example.NewExamples()
	if _, err := Write(doc, testRun, dir, Options{}); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		digest, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || fmt.Sprintf("%x", sha256.Sum256(data)) != digest {
			t.Errorf("the list has the digest %s of %s, which is wrong (%v)", digest, name, err)
		}
	}
	for name, want := range map[string]bool{ // whether the file is listed
		"results.json": true, "index.html": true, "report.md": true, "figures/scaled.svg": true,
		"figures/scaled.csv": true, "math.css": true, "run.json": false, "record.html": false, "lab.html": true,
		"nodes.bin": false, "figures/scaled.png": false, "SHA256SUMS": false,
	} {
		if got := strings.Contains(string(list), "  "+name+"\n"); got != want {
			t.Errorf("%s is listed: %v, want %v", name, got, want)
		}
	}
}
