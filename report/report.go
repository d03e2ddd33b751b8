package report

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"mcsim/report/site"
	"mcsim/report/view"
	"mcsim/sim/result"
)

// Options are choices of the caller.
type Options struct {
	Templates string // a folder whose files replace the embedded ones of the same name
}

// Write renders the site into dir, which it makes if need be. Each file is
// replaced at once, so a reader never meets half of one. The digests of those
// that are the same on every machine come last.
func Write(doc *result.Document, run view.Run, dir string, opt Options) error {
	files, err := site.Files(doc, run, opt.Templates, dir)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "figures"), 0o755); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := renameio.WriteFile(path, f.Data, 0o644); err != nil {
			return fmt.Errorf("report: %w", err)
		}
	}
	return nil
}
