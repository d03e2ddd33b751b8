package figure

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"hash/crc32"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/label"
	"mcsim/report/theme"
)

// readCSV returns the records of a figure's CSV as maps from columns to cells.
func readCSV(t *testing.T, f Figure) (records []map[string]string) {
	t.Helper()
	file, err := f.CSV()
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(bytes.NewReader(file)).ReadAll()
	if err != nil {
		t.Fatalf("%s.csv: %v", f.Name, err)
	}
	for _, line := range lines[1:] {
		record := map[string]string{}
		for i, column := range lines[0] {
			record[column] = line[i]
		}
		records = append(records, record)
	}
	return records
}

// TestConformanceCSV checks that the CSV file has a record for each estimate that the figure shows.
// A record of a theory line must have a theory and no value. All other records must have a value.
func TestConformanceCSV(t *testing.T) {
	for _, c := range charts {
		f := c.NewFigure(sample.Document())
		seen := map[string]bool{}
		for _, r := range readCSV(t, f) {
			isTheory := r["estimator"] == "theory"
			if hasValue := r["value"] != ""; hasValue == isTheory {
				t.Errorf("%s: a record of theory must have no value, and each other record a value: %v", c.Name, r)
			}
			if isTheory && r["theory"] == "" {
				t.Errorf("%s: a record of theory has no theory: %v", c.Name, r)
			}
			seen[r["experiment"]+r["cell"]+r["quantity"]] = true
		}
		for _, p := range f.panels {
			for _, e := range p.ShownEstimates {
				if !seen[e.Experiment+e.Cell+e.Quantity] {
					t.Errorf("%s.csv has no record of %s of the cell %s", c.Name, e.Quantity, e.Cell)
				}
			}
		}
	}
}

// latexCommand matches a control sequence of LaTeX.
var latexCommand = regexp.MustCompile(`\\[a-zA-Z]+`)

// TestConformanceLaTeX checks that the LaTeX environment has a caption, a label and a citation,
// that its brackets are balanced, and that LaTeX's fonts have all its characters. It also checks
// that hostile names of a plan cannot add commands or comments to the environment, or formulas of
// spreadsheets to the CSV file.
func TestConformanceLaTeX(t *testing.T) {
	known := map[string]bool{ // LaTeX's names of special characters
		`\textbackslash`: true, `\textasciitilde`: true, `\textasciicircum`: true, `\textless`: true,
		`\textgreater`: true, `\textbar`: true, `\textquotedbl`: true,
	}
	for _, c := range charts {
		tex := string(c.NewFigure(sample.Document()).TeX(theme.Print))
		for _, command := range latexCommand.FindAllString(tex, -1) {
			known[command] = true
		}
		_, body, _ := strings.Cut(tex, `\begin`)
		if i := strings.IndexFunc(body, func(r rune) bool { return r > 0x7e }); i >= 0 {
			t.Errorf("%s.tex has a character that LaTeX's fonts may lack: %s", c.Name, body[i:])
		}
	}
	for i, s := range sample.Hostile {
		if testing.Short() && i%8 > 0 {
			continue
		}
		doc := sample.HostileDocument(s)
		for _, c := range charts {
			f := c.NewFigure(doc)
			if !f.HasData() {
				continue
			}
			if err := checkTeX(f, known); err != nil {
				t.Errorf("%q: %s.tex: %v", s, c.Name, err)
			}
			for _, r := range readCSV(t, f) {
				for _, cell := range r {
					_, err := strconv.ParseFloat(cell, 64)
					if err != nil && cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r") {
						t.Errorf("%q: %s.csv has the cell %q", s, c.Name, cell)
					}
				}
			}
		}
	}
}

// checkTeX returns an error for the first fault of a figure's environment that it finds. The
// comments before the environment need no check, since LaTeX ignores them.
func checkTeX(f Figure, known map[string]bool) error {
	tex := string(f.TeX(theme.Print))
	for _, want := range []string{
		"% Cite as: The mcsim authors", `\includegraphics[width=\linewidth]{` + f.Name + ".pdf}",
		`\caption[`, `\label{fig:mcsim-` + f.Name + "}",
	} {
		if !strings.Contains(tex, want) {
			return fmt.Errorf("%s is missing", want)
		}
	}
	tex = tex[strings.Index(tex, "\n\\begin{figure*}")+1:]
	if strings.Count(tex, `\end{figure*}`) != 1 {
		return errors.New("the environment does not end once")
	}
	for _, command := range latexCommand.FindAllString(tex, -1) {
		if !known[command] {
			return fmt.Errorf("unknown command %s", command)
		}
	}
	escapes := strings.NewReplacer(`\\`, "", `\{`, "", `\}`, "", `\$`, "", `\%`, "", `\#`, "", `\&`, "", `\_`, "")
	bare := escapes.Replace(tex)
	if strings.Count(bare, "{") != strings.Count(bare, "}") || strings.Count(bare, "$")%2 != 0 {
		return fmt.Errorf("unbalanced braces or dollars: %s", tex)
	}
	if strings.ContainsAny(bare, "#&~%") {
		return fmt.Errorf("a special character is not escaped: %s", tex)
	}
	return nil
}

// TestAcrossColumns checks that only figures as wide as a page of two columns use figure*.
func TestAcrossColumns(t *testing.T) {
	for _, style := range themes {
		tex := string(chartByName("scaled").NewFigure(sample.Document()).TeX(style))
		got := strings.Contains(tex, `\begin{figure*}`) && strings.Contains(tex, `\end{figure*}`)
		if want := !style.Narrow && style.Style.Name != "web"; got != want {
			t.Errorf("%s, narrow: %t: the environment is figure*: %t, want %t",
				style.Style.Name, style.Narrow, got, want)
		}
	}
}

// TestPDF checks that every PDF has the same bytes if it is drawn again, and has no date except the
// fixed one. It also checks by Poppler that the fonts are embedded and that the text and the
// metadata can be read.
func TestPDF(t *testing.T) {
	hostile := sample.HostileDocument(sample.Hostile[0])
	figures := map[string]Figure{"hostile": chartByName("variance").NewFigure(hostile)}
	for i, c := range charts {
		if !testing.Short() || i%4 == 0 {
			figures[c.Name] = c.NewFigure(sample.Document())
		}
	}
	for name, f := range figures {
		file := mustFile(f, "pdf", theme.Print)
		if !bytes.Equal(file, mustFile(f, "pdf", theme.Print)) {
			t.Errorf("%s: two drawings differ", name)
		}
		for _, date := range regexp.MustCompile(`Date\s*\(D:\d+`).FindAllString(string(file), -1) {
			if !strings.HasSuffix(date, "(D:20000101000000") {
				t.Errorf("%s has the date %s, want only 1 January 2000", name, date)
			}
		}
		checkByPoppler(t, name, f, file)
	}
}

// checkByPoppler checks the fonts, the text and the metadata that Poppler finds in a PDF.
func checkByPoppler(t *testing.T, name string, f Figure, file []byte) {
	t.Helper()
	for _, program := range []string{"pdffonts", "pdftotext", "pdfinfo"} {
		requireProgram(t, program)
	}
	path := filepath.Join(t.TempDir(), "figure.pdf")
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	fonts := strings.Split(strings.TrimSpace(run(t, "pdffonts", path)), "\n")
	for _, l := range fonts[min(2, len(fonts)-1):] {
		if !regexp.MustCompile(`^utf8liberationsans\S* .* yes (no|yes) +yes `).MatchString(l) {
			t.Errorf("%s: a font is not an embedded font of Liberation Sans with a Unicode map: %s", name, l)
		}
	}
	text, axis := run(t, "pdftotext", path, "-"), f.panels[len(f.panels)-1].X.Label
	if word := strings.Fields(label.Plain(axis))[0]; !strings.Contains(text, word) {
		t.Errorf("%s: the text does not contain %q of the axis: %q", name, word, text)
	}
	info := run(t, "pdfinfo", path)
	for _, want := range []string{label.Plain(f.Title), author, "Monte Carlo", "518."} { // 183 mm in points
		if !strings.Contains(info, want) {
			t.Errorf("%s: pdfinfo does not print %q:\n%s", name, want, info)
		}
	}
}

// requireProgram skips the test if a program of Poppler or TeX is missing. On CI, the test fails.
func requireProgram(t *testing.T, name string) {
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

// TestPNG checks that a PNG has 300 dots per inch, and its metadata contain the resolution, the
// title and the caption.
func TestPNG(t *testing.T) {
	f := chartByName("softmax-map").NewFigure(sample.Document())
	file := mustFile(f, "png", theme.Print)
	img, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if width := img.Bounds().Dx(); width < 2160 || width > 2163 { // 183 mm
		t.Errorf("the image is %d pixels wide, want 2160 to 2163", width)
	}
	chunks := map[string]string{}
	for rest := file[8:]; len(rest) > 0; {
		n := binary.BigEndian.Uint32(rest)
		body := rest[4 : 8+n]
		if binary.BigEndian.Uint32(rest[8+n:]) == crc32.ChecksumIEEE(body) {
			chunks[string(body[:4])] += string(body[4:])
		}
		rest = rest[12+n:]
	}
	if want := "\x00\x00\x2e\x23\x00\x00\x2e\x23\x01"; chunks["pHYs"] != want { // 11811 dots per metre
		t.Errorf("pHYs is %x, want %x", chunks["pHYs"], want)
	}
	for _, want := range []string{
		"Title\x00\x00\x00en\x00\x00" + label.Plain(f.Title),
		"Description\x00\x00\x00en\x00\x00" + label.Plain(f.fullCaption()),
		"The mcsim authors",
	} {
		if !strings.Contains(chunks["iTXt"], want) {
			t.Errorf("iTXt does not contain %q", want)
		}
	}
}
