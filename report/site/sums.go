package site

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// present returns the files of a run that dir holds.
func present(dir string) []string {
	var names []string
	for _, f := range runFiles {
		if info, err := os.Stat(filepath.Join(dir, f.name)); err == nil && info.Mode().IsRegular() {
			names = append(names, f.name)
		}
	}
	return names
}

// summed are the endings of files of text. What passes through a compressor
// (PNG, PDF) is the same within one version of Go only.
var summed = []string{".html", ".css", ".csv", ".md", ".tex", ".json", ".svg", ".gz"}

// unsummed hold when and where a run was, or a program as one version of Go compiles it.
var unsummed = []string{"record.html", "run.json", "lab.html"}

// sums lists the digests of the files that are the same on every machine, in
// the form that sha256sum reads. Where the record stands alone, it is the first page.
func sums(files []File, dir string, others []string, alone bool) ([]byte, error) {
	without := func(name string) bool {
		return !slices.Contains(summed, path.Ext(name)) || slices.Contains(unsummed, name) || alone && name == "index.html"
	}
	files = slices.Clone(files)
	for _, name := range others {
		if without(name) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		files = append(files, File{name, data})
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	var out bytes.Buffer
	for _, f := range files {
		if !without(f.Name) {
			fmt.Fprintf(&out, "%x  %s\n", sha256.Sum256(f.Data), f.Name)
		}
	}
	return out.Bytes(), nil
}

// Stale are the pages of an earlier report in dir that are not among the files: those that
// its list of digests names, and those that no such list has.
func Stale(dir string, files []File) (pages []string) {
	list, err := os.ReadFile(filepath.Join(dir, sumsFile))
	if err != nil {
		return nil // there is no earlier report
	}
	names := slices.Clone(unsummed)
	for line := range strings.Lines(string(list)) {
		_, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		names = append(names, name)
	}
	for _, name := range names {
		page := path.Ext(name) == ".html" && name == path.Base(name)
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil && page && !slices.ContainsFunc(files, func(f File) bool { return f.Name == name }) {
			pages = append(pages, name)
		}
	}
	return pages
}
