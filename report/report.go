package report

import (
	"fmt"
	"os"
	"path/filepath"

	"mcsim/report/site"
	"mcsim/report/view"
	"mcsim/sim/replace"
	"mcsim/sim/result"
)

// Options are choices of the caller.
type Options = site.Options

// Write renders the site into dir, which it makes if need be. All files
// are replaced together, or none is. The digests of those that are the same on
// every machine come last.
func Write(doc *result.Document, run view.Run, dir string, opt Options) error {
	files, err := site.Files(doc, run, dir, opt)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	for _, folder := range []string{dir, filepath.Join(dir, "figures")} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return fmt.Errorf("the folder %s cannot be made: %w", folder, err)
		}
	}
	var set replace.Set
	defer set.Discard()
	for _, f := range files {
		if err := set.AddText(filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data); err != nil {
			return fmt.Errorf("report: %w", err)
		}
	}
	return set.Commit()
}
