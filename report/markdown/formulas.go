package markdown

import (
	"io/fs"
	"regexp"
	"slices"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/yuin/goldmark/text"

	"mcsim/templates"
)

// FormulaSet has the TeX of formulas in running text (Inline) and on separate lines (Display).
type FormulaSet struct {
	Inline  []string `json:"inline"`
	Display []string `json:"display"`
}

// actionPlaceholder replaces the actions of a template. A formula must not contain it, since
// formulas are typeset before the numbers are known that the actions write.
const actionPlaceholder = "\ufffd"

// Formulas returns the distinct formulas of the embedded templates, sorted.
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
		set.addTemplate(string(data))
	}
	slices.Sort(set.Inline)
	slices.Sort(set.Display)
	return FormulaSet{slices.Compact(set.Inline), slices.Compact(set.Display)}, nil
}

func (set *FormulaSet) addTemplate(template string) {
	equations := regexp.MustCompile("(?s){{-?\\s*equation\\s+\"[^\"]*\"\\s+`([^`]*)`")
	for _, m := range equations.FindAllStringSubmatch(template, -1) {
		set.Display = append(set.Display, joinLines(m[1]))
	}
	source := []byte(regexp.MustCompile(`(?s){{.*?}}`).ReplaceAllString(template, actionPlaceholder))
	tree := dialect().Parser().Parse(text.NewReader(source))
	for _, n := range nodesOf[*passthrough.PassthroughInline](tree) {
		if isFormula(n, source) {
			set.Inline = append(set.Inline, inlineTeX(n, source))
		}
	}
	for _, n := range nodesOf[*passthrough.PassthroughBlock](tree) {
		tex, _ := displayTeX(n, source)
		set.Display = append(set.Display, tex)
	}
}
