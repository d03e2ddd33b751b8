package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const validator = "node_modules/.bin/html-validate"

// Every page is valid HTML by the rules of html-validate's standard preset,
// those of the HTML standard itself.
func TestValidHTML(t *testing.T) {
	whole(t)
	pages(t)
	if _, err := os.Stat(validator); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("no html-validate: %v", err)
		}
		t.Skip("no html-validate; to run this: " + install)
	}
	for _, below := range []string{".", "long", "small", hostile(0), hostile(2)} {
		found, err := filepath.Glob(filepath.Join(site, below, "*.html"))
		must(t, err)
		args := append([]string{"--config", "html-validate.json", "--formatter", "text"}, found...)
		if out, err := exec.Command(validator, args...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", below, err, out)
		}
	}
}

// shots is where the pictures of the pages are kept, for a person to look at;
// continuous integration keeps them with its run.
const shots = "screenshots"

// Every page on a telephone in the dark and on a laptop in the light is kept as a PNG.
func TestScreenshots(t *testing.T) {
	whole(t)
	must(t, os.MkdirAll(shots, 0o755))
	everyPage(t, func(b *tab, name string) {
		for scheme, width := range map[string]int64{"dark": 360, "light": 1440} {
			b.resize(width, 900)
			b.visit(address+"/"+name, scheme)
			file := fmt.Sprintf("%s-%s-%d.png", strings.TrimSuffix(name, ".html"), scheme, width)
			must(b.t, os.WriteFile(filepath.Join(shots, file), b.screenshot(), 0o644))
		}
	})
}
