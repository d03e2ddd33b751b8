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
	"mcsim/sim/names"
)

// citeView is the data of the page cite.
type citeView struct {
	Plain  string // citation on one line
	BibTeX string
	CFF    string
	Seed   string
	Digest string            // digest of the results
	Schema string            // version of the format of results.json
	Kernel string            // version of the kernel; a kernel of the same version samples the same bits
	Groups []glossarySection // sections of the glossary, which is on the same page
}

// citation has the fields of CITATION.cff.
type citation struct {
	Title       string
	Version     string
	License     string
	Authors     []struct{ Name string }
	ReleaseDate string `yaml:"date-released"` // date of the version, as YYYY-MM-DD
	URL         string // address of the published pages; may be empty
	Repository  string `yaml:"repository-code"` // address of the code; may be empty
}

func readCitation() citation {
	var c citation
	if err := yaml.Unmarshal(mcsim.Citation, &c); err != nil {
		panic("page: the embedded CITATION.cff: " + err.Error())
	}
	return c
}

// HomeURL returns the address of the published pages according to CITATION.cff, or "" if it has
// none.
func HomeURL() string { return readCitation().URL }

func (c citation) authors(separator string) string {
	return strings.Join(names.Map(c.Authors, func(a struct{ Name string }) string { return a.Name }), separator)
}

func (c citation) year() string { return strings.SplitN(c.ReleaseDate, "-", 2)[0] }

// address returns the address of the program, or "" if it is not known.
func (c citation) address() string { return cmp.Or(c.URL, c.Repository) }

// newCiteView returns the data of the page cite.
func newCiteView(s *Source) any {
	c := readCitation()
	v := citeView{
		CFF:    strings.TrimSpace(string(mcsim.Citation)),
		Seed:   strconv.FormatUint(s.Doc.Seed, 10),
		Digest: markdown.EscapeCode(s.Doc.Digest),
		Schema: markdown.EscapeCode(s.Doc.Schema),
		Kernel: digits.Count(int64(s.Doc.Kernel)),
		Groups: glossarySections(s.Doc),
	}
	v.Plain = fmt.Sprintf("%s (%s). *%s*. Version %s, results `%s`.",
		c.authors(", "), c.year(), c.Title, c.Version, v.Digest)
	if c.address() != "" {
		v.Plain += " <" + c.address() + ">"
	}
	v.BibTeX = c.bibTeX(v.Seed, v.Digest)
	return v
}

// bibTeX returns an entry for a bibliography that cites results with a seed and a digest. The
// entry has the type misc, since the standard styles of BibTeX do not have the type software or
// the fields version and license.
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
}`, c.authors("} and {"), c.Title, c.year(), c.Version, c.License, url, seed, breakDigest(digest))
}

// breakDigest returns LaTeX that typesets a digest, such as sha256:0123…. LaTeX may break lines
// after every eighth character of the sum, where the source also has line breaks.
func breakDigest(digest string) string {
	const indent = "\n    " // short, for telephones
	kind, sum, _ := strings.Cut(digest, ":")
	chunks := slices.Collect(slices.Chunk([]byte(sum), 8))
	parts := names.Map(chunks, func(chunk []byte) string { return string(chunk) })
	return indent + "\\texttt{" + kind + ":" + strings.Join(parts, "\\allowbreak"+indent) + "}"
}
