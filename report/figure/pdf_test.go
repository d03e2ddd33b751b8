package figure

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mcsim/report/draw"
	"mcsim/report/internal/sample"
	"mcsim/report/label"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

// TestPDF: the same bytes every time, however Go orders its maps, without any
// date but the fixed one.
func TestPDF(t *testing.T) {
	for range 6 {
		if !bytes.Equal(fileOf(t, survival, invented()), fileOf(t, survival, invented())) {
			t.Fatal("two drawings of maps differ")
		}
	}
	doc := sample.Document()
	for _, c := range few(charts, 4) {
		first := fileOf(t, c, doc)
		if !bytes.Equal(first, fileOf(t, c, doc)) {
			t.Errorf("%s: two drawings differ", c.Name)
		}
		for _, date := range regexp.MustCompile(`Date\s*\(D:\d+`).FindAllString(string(first), -1) {
			if !strings.HasSuffix(date, "(D:20000101000000") {
				t.Errorf("%s: has the date %s", c.Name, date)
			}
		}
		leave(t, c.Name+".pdf", first)
	}
}

// TestFonts: Poppler finds every font embedded, as a subset, with its
// characters, and reads the text and the metadata.
func TestFonts(t *testing.T) {
	tool(t, "pdffonts")
	tool(t, "pdftotext")
	tool(t, "pdfinfo")
	for _, c := range few(charts, 4) {
		path := filepath.Join(t.TempDir(), c.Name+".pdf")
		if err := os.WriteFile(path, fileOf(t, c, sample.Document()), 0o644); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(run(t, "pdffonts", path)), "\n")
		if len(lines) < 3 {
			t.Errorf("%s has no fonts", c.Name)
		}
		for _, l := range lines[2:] {
			if !regexp.MustCompile(`^[A-Z]{6}\+LiberationSans\S* .* yes yes yes `).MatchString(l) {
				t.Errorf("%s: %s", c.Name, l)
			}
		}
		if text := run(t, "pdftotext", path, "-"); !regexp.MustCompile("dimension of query and key,|exponent|keys of a row|temperature|layer|standard deviation|standard errors|variance of|equal weights|components so far|operations|loss over").MatchString(text) {
			t.Errorf("%s: the text reads %q", c.Name, text)
		}
		info := run(t, "pdfinfo", path)
		for _, want := range []string{label.Plain(c.Title), draw.Author, "Monte Carlo", "518."} { // 183 mm in points
			if !strings.Contains(info, want) {
				t.Errorf("%s: pdfinfo does not say %q:\n%s", c.Name, want, info)
			}
		}
	}
}

func fileOf(t *testing.T, c Chart, doc *result.Document) []byte {
	t.Helper()
	file, err := c.Of(doc).PDF(theme.Print)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// tool skips where a program of Poppler or TeX is missing, except on CI.
func tool(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err == nil {
		return
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("%s is not installed (.ci/tools long)", name)
	}
	t.Skipf("%s is not installed (.ci/tools long)", name)
}

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", name, err, out)
	}
	return string(out)
}
