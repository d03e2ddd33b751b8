package theme

import (
	"errors"
	"fmt"
	"image/color"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"mcsim/report/label"
	"mcsim/sim/base/markup"
)

// Bounds of a file of a theme.
const (
	maxFontSize  = 1 << 25 // bytes
	maxLabels    = 500
	maxLabelText = 400 // bytes
)

// Custom is what a file changes in a theme: colours, and the texts of labels.
type Custom struct {
	reader  markup.Reader
	font    ast.Node // the font's name in the file; nil without a font
	colours map[Swatch]color.NRGBA
	texts   map[string]replacement
	shown   map[string]bool // labels that figures have shown, and their parts
}

// replacement is the text that replaces a label, with its position in the file.
type replacement struct {
	text string
	node ast.Node
}

// ParseCustom parses a file of a theme, and makes its font the font of all labels. readFile returns
// at most maxSize + 1 bytes of another file. Errors have positions in the text.
func ParseCustom(file string, text []byte, readFile func(path string, maxSize int64) ([]byte, error)) (*Custom, error) {
	c := &Custom{reader: markup.Reader{File: file, Noun: "theme", MaxText: maxLabelText},
		colours: map[Swatch]color.NRGBA{}, texts: map[string]replacement{}, shown: map[string]bool{}}
	tree, err := c.reader.Parse(text)
	if err != nil {
		return nil, err
	}
	readFont := func(fonts ...label.Font) func(ast.Node, string) error {
		return func(n ast.Node, path string) error {
			c.font = n
			return c.reader.ScalarReader(func(name string) error {
				if !filepath.IsAbs(name) {
					name = filepath.Join(filepath.Dir(file), name)
				}
				ttf, err := readFile(name, maxFontSize)
				if err != nil {
					return err
				}
				if len(ttf) > maxFontSize {
					return fmt.Errorf("%s: has more than %d bytes", name, maxFontSize)
				}
				if err := label.UseFont(ttf, fonts...); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				return nil
			})(n, path)
		}
	}
	_, err = c.reader.ReadMapping(tree, "", []markup.Field{
		{Key: "font", Read: readFont(label.Upright, label.Slanted)},
		{Key: "italic", Read: readFont(label.Slanted)},
		{Key: "colours", Read: c.readColours},
		{Key: "labels", Read: c.readTexts},
	})
	return c, err
}

func (c *Custom) readColours(n ast.Node, path string) error {
	var fields []markup.Field
	addField := func(key string, swatch Swatch) {
		fields = append(fields, markup.Field{Key: key, Read: c.reader.ScalarReader(func(text string) error {
			digits, hasSign := strings.CutPrefix(text, "#")
			hex, err := strconv.ParseUint(digits, 16, 24)
			if !hasSign || err != nil || len(digits) != 6 {
				return fmt.Errorf("%q is not a colour such as \"#009e73\"", text)
			}
			c.colours[swatch] = rgb(uint32(hex))
			return nil
		})})
	}
	addField("paper", Paper)
	addField("ink", Ink)
	addField("reference", ReferenceInk)
	addField("none", unscaledColour)
	addField("root", rootColour)
	addField("dimension", dimensionColour)
	for i, hue := range hues {
		addField(fmt.Sprintf("series%d", i+1), hue)
	}
	_, err := c.reader.ReadMapping(n, path, fields)
	return err
}

func (c *Custom) readTexts(n ast.Node, path string) error {
	pairs, err := c.reader.Pairs(n, path)
	if err == nil && len(pairs) > maxLabels {
		err = c.reader.NewError(n, path, fmt.Errorf("has more than %d labels", maxLabels))
	}
	if err != nil {
		return err
	}
	for _, pair := range pairs {
		original := pair.Key.GetToken().Value
		if _, ok := c.texts[original]; ok {
			return c.reader.NewError(pair.Key, path, errors.New("this label stands here a second time"))
		}
		err := c.reader.ScalarReader(func(text string) error {
			c.texts[original] = replacement{text, pair.Key}
			if err := markup.CheckLine(text, maxLabelText); err != nil {
				return err
			}
			return label.Validate(text)
		})(pair.Value, path)
		if err != nil {
			return err
		}
	}
	return nil
}

// Text returns the text that replaces a label. If the file does not have the label, its parts
// between colons or commas, and what follows the letter of a panel, are replaced.
func (t Theme) Text(words string) string {
	c := t.Custom
	if c == nil {
		return words
	}
	c.shown[words] = true
	if r, ok := c.texts[words]; ok {
		return r.text
	}
	if len(words) > 4 && words[0] == '(' && words[2:4] == ") " {
		return words[:4] + t.Text(words[4:])
	}
	for _, separator := range []string{": ", ", "} {
		if first, rest, ok := strings.Cut(words, separator); ok {
			return t.Text(first) + separator + t.Text(rest)
		}
	}
	return words
}

// Check returns an error for a label of the file that no figure has shown, and for a character of a
// shown label that the font does not have.
func (c *Custom) Check() error {
	errUnused := errors.New("no figure of these results has this label")
	for _, original := range slices.Sorted(maps.Keys(c.texts)) {
		if !c.shown[original] {
			return c.reader.NewError(c.texts[original].node, "labels", errUnused)
		}
	}
	for _, original := range slices.Sorted(maps.Keys(c.shown)) {
		shown, ok := c.texts[original]
		if !ok {
			shown = replacement{original, c.font}
		}
		if r, ok := label.FindMissing(shown.text); ok && shown.node != nil {
			err := fmt.Errorf("the font has no character %q of the label %q", r, shown.text)
			return c.reader.NewError(shown.node, "", err)
		}
	}
	return nil
}
