package page

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"mcsim"
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
}

// citation is what CITATION.cff says.
type citation struct {
	Title   string
	Version string
	License string
	Authors []struct{ Name string }
}

// cite fills the page on citations and files.
func cite(s *view.Source) citeView {
	c := cff()
	var names []string
	for _, a := range c.Authors {
		names = append(names, a.Name)
	}
	who := strings.Join(names, ", ")
	v := citeView{
		CFF:    strings.TrimSpace(string(mcsim.Citation)),
		Seed:   strconv.FormatUint(s.Doc.Seed, 10),
		Digest: markdown.Code(s.Doc.Digest),
	}
	v.Plain = fmt.Sprintf("%s. *%s*. Version %s, results `%s`.", who, c.Title, c.Version, v.Digest)
	v.BibTeX = fmt.Sprintf(`@software{mcsim,
  author  = {{%s}},
  title   = {{%s}},
  version = {%s},
  license = {%s},
  note    = {Seed %s, results
             %s}
}`, strings.Join(names, "} and {"), c.Title, c.Version, c.License, v.Seed, v.Digest)
	return v
}

// cff reads the embedded CITATION.cff.
func cff() citation {
	var c citation
	if err := yaml.Unmarshal(mcsim.Citation, &c); err != nil {
		panic("page: the embedded CITATION.cff: " + err.Error())
	}
	return c
}
