package markdown

import (
	"io/fs"
	"regexp"
	"slices"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/yuin/goldmark/text"

	"mcsim/templates"
)

// FormulaSet is the TeX of formulas, in running text and on lines of their own.
type FormulaSet struct {
	Inline  []string `json:"inline"`
	Display []string `json:"display"`
}

// filled replaces an action of a template in a formula. No formula may have one, since it is
// typeset before any number is known.
const filled = "\ufffd"

// Formulas returns the formulas of the embedded templates, including those that not every
// document shows.
func Formulas() (FormulaSet, error) {
	names, err := fs.Glob(templates.Files, "*.md")
	if err != nil {
		return FormulaSet{}, err
	}
	var set FormulaSet
	for _, name := range names {
		data, err := templates.Files.ReadFile(name)
		if err != nil {
			return FormulaSet{}, err
		}
		set.add(string(data))
	}
	slices.Sort(set.Inline)
	slices.Sort(set.Display)
	return FormulaSet{slices.Compact(set.Inline), slices.Compact(set.Display)}, nil
}

// add adds the formulas of a template.
func (set *FormulaSet) add(template string) {
	equations := regexp.MustCompile("(?s){{-?\\s*equation\\s+\"[^\"]*\"\\s+`([^`]*)`")
	for _, m := range equations.FindAllStringSubmatch(template, -1) {
		set.Display = append(set.Display, oneLine(m[1]))
	}
	source := []byte(regexp.MustCompile(`(?s){{.*?}}`).ReplaceAllString(template, filled))
	tree := dialect().Parser().Parse(text.NewReader(source))
	for _, n := range every[*passthrough.PassthroughInline](tree) {
		if isFormula(n, source) {
			set.Inline = append(set.Inline, inlineTeX(n, source))
		}
	}
	for _, n := range every[*passthrough.PassthroughBlock](tree) {
		tex, _ := displayTeX(n, source)
		set.Display = append(set.Display, tex)
	}
}
