package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

const validator = "node_modules/.bin/html-validate"

// TestValidHTML checks that html-validate, with the rules of html-validate.json, accepts every
// page.
func TestValidHTML(t *testing.T) {
	requireBrowser(t)
	if _, err := os.Stat(validator); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("html-validate is not installed: %v", err)
		}
		t.Skip("html-validate is not installed; to install it: " + installCommand)
	}
	args := []string{"--config", "html-validate.json", "--formatter", "text"}
	for _, folder := range []string{".", "long", hostileFolder(0)} {
		found, err := filepath.Glob(filepath.Join(siteDir, folder, "*.html"))
		must(t, err)
		args = append(args, found...)
	}
	if out, err := exec.Command(validator, args...).CombinedOutput(); err != nil {
		t.Errorf("html-validate: %v\n%s", err, out)
	}
}
