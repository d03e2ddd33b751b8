package figure

import (
	"bytes"
	be "encoding/binary"
	"encoding/csv"
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

// tableOf reads a figure's CSV as a list of records by column.
func tableOf(t *testing.T, f Figure) (out []map[string]string) {
	t.Helper()
	file, err := f.CSV()
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(bytes.NewReader(file)).ReadAll()
	if err != nil {
		t.Fatalf("%s.csv: %v", f.Name, err)
	}
	for _, l := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = l[i]
		}
		out = append(out, row)
	}
	return out
}

// The data of a figure have a line for each mark, and the points of its lines of theory,
// which have no value.
func TestConformanceCSV(t *testing.T) {
	for _, c := range charts {
		f := c.Of(sample.Document())
		seen := map[string]bool{}
		for _, r := range tableOf(t, f) {
			if (r["estimator"] == "theory") != (r["value"] == "") || r["estimator"] == "theory" && r["theory"] == "" {
				t.Errorf("%s: %v", c.Name, r)
			}
			seen[r["experiment"]+r["cell"]+r["quantity"]] = true
		}
		for _, p := range f.panels {
			for _, e := range p.Shown {
				if !seen[e.Experiment+e.Cell+e.Quantity] {
					t.Errorf("%s: no line for %s of %s", c.Name, e.Quantity, e.Cell)
				}
			}
		}
	}
}

// sequences are the control sequences of LaTeX in a text.
var sequences = regexp.MustCompile(`\\[a-zA-Z]+`)

// The environment of LaTeX has caption, label and citation, is in balance, and holds no
// character that LaTeX's fonts lack. A name from a plan is text in it: it brings no command
// that a figure of plain names does not have, and no comment; nor a cell into the data that
// a spreadsheet would compute.
func TestConformanceLaTeX(t *testing.T) {
	known := map[string]bool{}
	for _, command := range []string{`\textbackslash`, `\textasciitilde`, `\textasciicircum`, `\textless`, `\textgreater`, `\textbar`, `\textquotedbl`} {
		known[command] = true // what LaTeX calls characters of its own
	}
	for _, c := range charts {
		tex := string(c.Of(sample.Document()).TeX(theme.Print))
		for _, command := range sequences.FindAllString(tex, -1) {
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
			f := c.Of(doc)
			if !f.Shows() {
				continue
			}
			if err := faultOfTeX(f, known); err != "" {
				t.Errorf("%q: %s.tex %s", s, c.Name, err)
			}
			for _, r := range tableOf(t, f) {
				for _, cell := range r {
					if _, err := strconv.ParseFloat(cell, 64); err != nil && cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r") {
						t.Errorf("%q: %s.csv has the cell %q", s, c.Name, cell)
					}
				}
			}
		}
	}
}

// faultOfTeX says what is wrong with the environment of a figure; what stands before it are
// comments, which LaTeX skips to their ends.
func faultOfTeX(f Figure, known map[string]bool) string {
	tex := string(f.TeX(theme.Print))
	for _, want := range []string{"% Cite as: The mcsim authors", `\includegraphics[width=\linewidth]{` + f.Name + ".pdf}", `\caption[`, `\label{fig:mcsim-` + f.Name + "}"} {
		if !strings.Contains(tex, want) {
			return "lacks " + want
		}
	}
	tex = tex[strings.Index(tex, "\n\\begin{figure*}")+1:]
	if strings.Count(tex, `\end{figure*}`) != 1 {
		return "does not end once"
	}
	for _, command := range sequences.FindAllString(tex, -1) {
		if !known[command] {
			return "has the command " + command
		}
	}
	bare := strings.NewReplacer(`\\`, "", `\{`, "", `\}`, "", `\$`, "", `\%`, "", `\#`, "", `\&`, "", `\_`, "").Replace(tex)
	if strings.Count(bare, "{") != strings.Count(bare, "}") || strings.Count(bare, "$")%2 != 0 || strings.ContainsAny(bare, "#&~%") {
		return "is out of balance, or has a bare character: " + tex
	}
	return ""
}

// A figure as wide as a page of two columns goes across them, and no other.
func TestAcrossColumns(t *testing.T) {
	for _, in := range themes {
		tex := string(charted("scaled").Of(sample.Document()).TeX(in))
		if across := strings.Contains(tex, `\begin{figure*}`) && strings.Contains(tex, `\end{figure*}`); across != (!in.Narrow && in.Style.Name != "web") {
			t.Errorf("%s, narrow %t: across: %t", in.Style.Name, in.Narrow, across)
		}
	}
}

// Every PDF has the same bytes each time and no date but the fixed one. Poppler finds every
// font embedded, with its characters, and reads the text, also of a hostile
// plan, and the metadata.
func TestPDF(t *testing.T) {
	figures := map[string]Figure{"hostile": charted("variance").Of(sample.HostileDocument(sample.Hostile[0]))}
	for i, c := range charts {
		if !testing.Short() || i%4 == 0 {
			figures[c.Name] = c.Of(sample.Document())
		}
	}
	for name, f := range figures {
		first, again := fileOf(f, "pdf", theme.Print), fileOf(f, "pdf", theme.Print)
		if !bytes.Equal(first, again) {
			t.Errorf("%s: two drawings differ", name)
		}
		for _, date := range regexp.MustCompile(`Date\s*\(D:\d+`).FindAllString(string(first), -1) {
			if !strings.HasSuffix(date, "(D:20000101000000") {
				t.Errorf("%s: has the date %s", name, date)
			}
		}
		readByPoppler(t, name, f, first)
	}
}

// readByPoppler holds a PDF to what other programs find in it.
func readByPoppler(t *testing.T, name string, f Figure, file []byte) {
	t.Helper()
	for _, program := range []string{"pdffonts", "pdftotext", "pdfinfo"} {
		tool(t, program)
	}
	path := filepath.Join(t.TempDir(), "figure.pdf")
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	fonts := strings.Split(strings.TrimSpace(run(t, "pdffonts", path)), "\n")
	for _, l := range fonts[min(2, len(fonts)-1):] {
		if !regexp.MustCompile(`^utf8liberationsans\S* .* yes (no|yes) +yes `).MatchString(l) {
			t.Errorf("%s: %s", name, l)
		}
	}
	text, axis := run(t, "pdftotext", path, "-"), f.panels[len(f.panels)-1].X.Label
	if word := strings.Fields(label.Plain(axis))[0]; !strings.Contains(text, word) {
		t.Errorf("%s: the text reads %q", name, text)
	}
	info := run(t, "pdfinfo", path)
	for _, want := range []string{label.Plain(f.Title), author, "Monte Carlo", "518."} { // 183 mm in points
		if !strings.Contains(info, want) {
			t.Errorf("%s: pdfinfo does not say %q:\n%s", name, want, info)
		}
	}
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

// A PNG has 300 dots to the inch, says so, and says what it shows.
func TestPNG(t *testing.T) {
	f := charted("softmax-map").Of(sample.Document())
	file := fileOf(f, "png", theme.Print)
	if img, err := png.Decode(bytes.NewReader(file)); err != nil || img.Bounds().Dx() < 2160 || img.Bounds().Dx() > 2163 { // 183 mm
		t.Errorf("%v: %v", img.Bounds(), err)
	}
	said := map[string]string{}
	for rest := file[8:]; len(rest) > 0; {
		n := be.BigEndian.Uint32(rest)
		if body := rest[4 : 8+n]; be.BigEndian.Uint32(rest[8+n:]) == crc32.ChecksumIEEE(body) {
			said[string(body[:4])] += string(body[4:])
		}
		rest = rest[12+n:]
	}
	if want := "\x00\x00\x2e\x23\x00\x00\x2e\x23\x01"; said["pHYs"] != want { // 11811 to the metre
		t.Errorf("pHYs is %x", said["pHYs"])
	}
	for _, want := range []string{"Title\x00\x00\x00en\x00\x00" + label.Plain(f.Title), "Description\x00\x00\x00en\x00\x00" + label.Plain(f.fullCaption()), "The mcsim authors"} {
		if !strings.Contains(said["iTXt"], want) {
			t.Errorf("iTXt lacks %q", want)
		}
	}
}
