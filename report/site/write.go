package site

import (
	"fmt"
	"os"
	"path/filepath"

	"mcsim/report/essay"
	"mcsim/report/page"
	"mcsim/sim/base/replace"
	"mcsim/sim/result"
)

// Write writes the site of a document into dir, which it creates if necessary, and returns which
// findings of the essay the document supports. It replaces all files together; if it fails, it
// replaces none. Then it removes the pages that only an earlier report had.
func Write(doc *result.Document, run page.Run, dir string, opt Options) (essay.Report, error) {
	files, findings, err := Files(doc, run, dir, opt)
	if err != nil {
		return findings, fmt.Errorf("report: %w", err)
	}
	for _, folder := range []string{dir, filepath.Join(dir, "figures")} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return findings, fmt.Errorf("the folder %s cannot be made: %w", folder, err)
		}
	}
	stale := stalePages(dir, files)
	var set replace.Set
	defer set.Discard()
	for _, f := range files {
		if err := set.AddText(filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data); err != nil {
			return findings, fmt.Errorf("report: %w", err)
		}
	}
	if err := set.Commit(); err != nil {
		return findings, err
	}
	for _, name := range stale {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			return findings, fmt.Errorf("report: %w", err)
		}
	}
	return findings, nil
}
