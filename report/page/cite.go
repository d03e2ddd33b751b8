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
	"mcsim/report/view"
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

// citation is what CITATION.cff says.
type citation struct {
	Title   string
	Version string
	License string
	Authors []struct{ Name string }
	// Released is the day of the version, year first. URL and Repository are where it is
	// to be had; the file may have neither.
	Released   string `yaml:"date-released"`
	URL        string
	Repository string `yaml:"repository-code"`
}

// names are those of the authors.
func (c citation) names() (all []string) {
	for _, a := range c.Authors {
		all = append(all, a.Name)
	}
	return all
}

// year is that of the release.
func (c citation) year() string { return strings.SplitN(c.Released, "-", 2)[0] }

// Home is where the pages are published, or nothing.
func Home() string { return cff().URL }

// address is where to find the program, or nothing.
func (c citation) address() string { return cmp.Or(c.URL, c.Repository) }

// cite fills the page on citations and files.
func cite(s *view.Source) any {
	c := cff()
	v := citeView{
		CFF:    strings.TrimSpace(string(mcsim.Citation)),
		Seed:   strconv.FormatUint(s.Doc.Seed, 10),
		Digest: markdown.Code(s.Doc.Digest),
		Schema: markdown.Code(s.Doc.Schema),
		Kernel: digits.Count(int64(s.Doc.Kernel)),
		Groups: groups(s),
	}
	v.Plain = fmt.Sprintf("%s (%s). *%s*. Version %s, results `%s`.", strings.Join(c.names(), ", "), c.year(), c.Title, c.Version, v.Digest)
	if c.address() != "" {
		v.Plain += " <" + c.address() + ">"
	}
	v.BibTeX = c.bibTeX(v.Seed, v.Digest)
	return v
}

// bibTeX is an entry for a bibliography, of results with that seed and digest. It is of the
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
}`, strings.Join(c.names(), "} and {"), c.Title, c.year(), c.Version, c.License, url, seed, breakable(digest))
}

// breakable writes a digest in LaTeX, on lines of its own, so that its own lines may break
// behind every eighth sign.
func breakable(digest string) string {
	kind, sum, _ := strings.Cut(digest, ":")
	var parts []string
	for part := range slices.Chunk([]byte(sum), 8) {
		parts = append(parts, string(part))
	}
	const indent = "\n                  "
	return indent + "\\texttt{" + kind + ":" + strings.Join(parts, "\\allowbreak"+indent) + "}"
}

// cff reads the embedded CITATION.cff.
func cff() citation {
	var c citation
	if err := yaml.Unmarshal(mcsim.Citation, &c); err != nil {
		panic("page: the embedded CITATION.cff: " + err.Error())
	}
	return c
}
