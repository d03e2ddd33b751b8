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

// existingRunFiles returns the names of the files of a run that dir has.
func existingRunFiles(dir string) []string {
	var names []string
	for _, f := range runFiles {
		if info, err := os.Stat(filepath.Join(dir, f.name)); err == nil && info.Mode().IsRegular() {
			names = append(names, f.name)
		}
	}
	return names
}

// portableExtensions are the extensions of files that are the same on every machine. PNG and PDF
// are omitted, since the bytes of Go's compressor differ between versions of Go.
var portableExtensions = []string{".html", ".css", ".csv", ".md", ".tex", ".json", ".svg", ".gz"}

// unportableFiles are files with facts about the run, or with a program that depends on the
// version of Go.
var unportableFiles = []string{"record.html", "run.json", "lab.html"}

// digests lists the digests of the files that are the same on every machine, in the format of
// sha256sum. If the site is only the record, index.html has facts about the run and is omitted.
func digests(files []File, dir string, runFiles []string, onlyRecord bool) ([]byte, error) {
	hasDigest := func(name string) bool {
		isRecord := onlyRecord && name == "index.html"
		return slices.Contains(portableExtensions, path.Ext(name)) && !slices.Contains(unportableFiles, name) &&
			!isRecord
	}
	files = slices.DeleteFunc(slices.Clone(files), func(f File) bool { return !hasDigest(f.Name) })
	for _, name := range runFiles {
		if !hasDigest(name) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		files = append(files, File{name, data})
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	var b bytes.Buffer
	for _, f := range files {
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(f.Data), f.Name)
	}
	return b.Bytes(), nil
}

// StalePages returns the names of pages of an earlier report in dir that are not among the files.
// It looks for the pages in the list of digests, and for the pages that such a list omits.
func StalePages(dir string, files []File) (pages []string) {
	list, err := os.ReadFile(filepath.Join(dir, sumsFile))
	if err != nil {
		return nil // there is no earlier report
	}
	names := slices.Clone(unportableFiles)
	for line := range strings.Lines(string(list)) {
		_, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		names = append(names, name)
	}
	for _, name := range names {
		isPage := path.Ext(name) == ".html" && name == path.Base(name)
		isKept := slices.ContainsFunc(files, func(f File) bool { return f.Name == name })
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil && isPage && !isKept {
			pages = append(pages, name)
		}
	}
	return pages
}
