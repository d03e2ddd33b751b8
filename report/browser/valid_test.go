package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

const validator = "node_modules/.bin/html-validate"

// Every page is valid HTML by the rules of html-validate's standard preset,
// those of the HTML standard itself.
func TestValidHTML(t *testing.T) {
	needBrowser(t)
	if _, err := os.Stat(validator); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("no html-validate: %v", err)
		}
		t.Skip("no html-validate; to run this: " + install)
	}
	args := []string{"--config", "html-validate.json", "--formatter", "text"}
	for _, below := range []string{".", "long", hostile(0)} {
		found, err := filepath.Glob(filepath.Join(siteDir, below, "*.html"))
		must(t, err)
		args = append(args, found...)
	}
	if out, err := exec.Command(validator, args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
