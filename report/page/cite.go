package page

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"mcsim"
	"mcsim/report/digits"
	"mcsim/report/markdown"
)

// citeView is the view of the page on citing and downloading.
type citeView struct {
	Plain  string // one line for a list of references
	BibTeX string
	CFF    string
	Seed   string
	Digest string
	Schema string
	Kernel string
	Groups []group
}

// citation has the fields of CITATION.cff.
type citation struct {
	Title   string
	Version string
	License string
	Authors []struct{ Name string }
	// Released is the day of the version, year first. URL is the address of the pages and Repository
	// that of the code; the file may have neither.
	Released   string `yaml:"date-released"`
	URL        string
	Repository string `yaml:"repository-code"`
}

// readCitation reads the embedded CITATION.cff.
func readCitation() citation {
	var c citation
	if err := yaml.Unmarshal(mcsim.Citation, &c); err != nil {
		panic("page: the embedded CITATION.cff: " + err.Error())
	}
	return c
}

// Home is the address at which the pages are published, empty if there is none.
func Home() string { return readCitation().URL }

// authors joins the names of the authors.
func (c citation) authors(separator string) string {
	var names []string
	for _, a := range c.Authors {
		names = append(names, a.Name)
	}
	return strings.Join(names, separator)
}

// year is that of the release.
func (c citation) year() string { return strings.SplitN(c.Released, "-", 2)[0] }

// address is where to find the program, empty if it is not known.
func (c citation) address() string { return cmp.Or(c.URL, c.Repository) }

// citeOf fills the page on citations and files.
func citeOf(s *Source) any {
	c := readCitation()
	v := citeView{
		CFF:    strings.TrimSpace(string(mcsim.Citation)),
		Seed:   strconv.FormatUint(s.Doc.Seed, 10),
		Digest: markdown.Code(s.Doc.Digest),
		Schema: markdown.Code(s.Doc.Schema),
		Kernel: digits.Count(int64(s.Doc.Kernel)),
		Groups: groups(s.Doc),
	}
	v.Plain = fmt.Sprintf("%s (%s). *%s*. Version %s, results `%s`.",
		c.authors(", "), c.year(), c.Title, c.Version, v.Digest)
	if c.address() != "" {
		v.Plain += " <" + c.address() + ">"
	}
	v.BibTeX = c.bibTeX(v.Seed, v.Digest)
	return v
}

// bibTeX returns an entry for a bibliography, of results with that seed and digest. It is of the
// type misc, which every style has: the styles that come with BibTeX know neither software
// nor the fields version and license. A line may break within the digest.
func (c citation) bibTeX(seed, digest string) string {
	url := ""
	if c.address() != "" {
		url = "\n  url          = {" + c.address() + "},"
	}
	return fmt.Sprintf(`@misc{mcsim,
  author       = {{%s}},
  title        = {{%s}},
  year         = {%s},
  howpublished = {Computer program, version %s, license %s},%s
  note         = {Seed %s, results%s}
}`, c.authors("} and {"), c.Title, c.year(), c.Version, c.License, url, seed, breakable(digest))
}

// breakable writes a digest in LaTeX, on lines of its own, so that its own lines may break
// after every eighth character.
func breakable(digest string) string {
	const indent = "\n                  "
	kind, sum, _ := strings.Cut(digest, ":")
	var parts []string
	for part := range slices.Chunk([]byte(sum), 8) {
		parts = append(parts, string(part))
	}
	return indent + "\\texttt{" + kind + ":" + strings.Join(parts, "\\allowbreak"+indent) + "}"
}
