package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

const validator = "node_modules/.bin/html-validate"

// TestValidHTML checks that every page is valid by the standard preset of html-validate.
func TestValidHTML(t *testing.T) {
	requireBrowser(t)
	if _, err := os.Stat(validator); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("no html-validate: %v", err)
		}
		t.Skip("no html-validate; to run this: " + installCommand)
	}
	args := []string{"--config", "html-validate.json", "--formatter", "text"}
	for _, folder := range []string{".", "long", hostileFolder(0)} {
		found, err := filepath.Glob(filepath.Join(siteDir, folder, "*.html"))
		must(t, err)
		args = append(args, found...)
	}
	if out, err := exec.Command(validator, args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
