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

// existingRunFiles returns the names of those runFiles that exist in dir.
func existingRunFiles(dir string) []string {
	var names []string
	for _, f := range runFiles {
		if info, err := os.Stat(filepath.Join(dir, f.name)); err == nil && info.Mode().IsRegular() {
			names = append(names, f.name)
		}
	}
	return names
}

// portableExtensions are the extensions of files that have the same bytes on every machine. They
// omit .png and .pdf, since the bytes of Go's compressor differ between versions of Go.
var portableExtensions = []string{".html", ".css", ".csv", ".md", ".tex", ".json", ".svg", ".gz"}

// unportableFiles have a portable extension, but contain facts about the run.
var unportableFiles = []string{"record.html", "run.json"}

// listDigests lists the digests of the files that are the same on every machine, in the format of
// sha256sum. If the site is only the record, index.html has facts about the run and is omitted.
func listDigests(files []File, dir string, runFileNames []string, onlyRecord bool) ([]byte, error) {
	isPortable := func(name string) bool {
		isRecord := onlyRecord && name == "index.html"
		return slices.Contains(portableExtensions, path.Ext(name)) && !slices.Contains(unportableFiles, name) &&
			!isRecord
	}
	files = slices.DeleteFunc(slices.Clone(files), func(f File) bool { return !isPortable(f.Name) })
	for _, name := range runFileNames {
		if !isPortable(name) {
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

// stalePages returns the names of the pages in dir that an earlier report wrote, and that are not
// among files. The pages of the earlier report are those in its list of digests, and the pages that
// a list of digests omits.
func stalePages(dir string, files []File) (pages []string) {
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
