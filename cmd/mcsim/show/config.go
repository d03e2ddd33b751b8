package show

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"mcsim/sim/attention/modelconfig"
	"mcsim/sim/result"
)

// Tower is how one tower of a config.json makes logits from q·k.
type Tower struct {
	File   string        `json:"file"`
	Name   string        `json:"tower,omitempty"` // key of the nested object
	Type   string        `json:"model_type"`
	Groups []TowerLayers `json:"layers"`
	Unread string        `json:"unread,omitempty"` // why nothing is said of the tower
}

// TowerLayers are the layers of a tower that do the same.
type TowerLayers struct {
	Layers    []int         `json:"numbers"`         // empty if the config does not say how many there are
	Width     int           `json:"width,omitempty"` // of the tokens of a stage, if stages differ
	Dimension int           `json:"d_k"`
	Factor    result.Number `json:"factor"`
	Formula   string        `json:"formula"`
	Assumed   bool          `json:"assumed"` // nothing says that the model has another factor
	Cap       float64       `json:"cap"`     // 0 if there is none
	Norm      string        `json:"qk_norm"`
	Sink      string        `json:"sink"`
	Position  string        `json:"by_position"`
	Open      []string      `json:"besides"` // what no single factor says
	Unused    []string      `json:"not_understood"`

	scores modelconfig.Scores
}

// ReadTowers resolves every tower of the config.json files, or of those in folders.
func ReadTowers(paths []string) (all []Tower, err error) {
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			path = filepath.Join(path, "config.json")
		}
		c, err := modelconfig.Read(path)
		if err != nil {
			return nil, err
		}
		towers := c.Towers()
		if len(towers) == 0 {
			return nil, fmt.Errorf("%s: it states no number of heads, such as num_attention_heads", path)
		}
		var first error
		for _, part := range towers {
			t, err := newTower(path, part)
			if err != nil {
				t.Unread = strings.TrimPrefix(err.Error(), path+": ")
				first = cmp.Or(first, err)
			}
			all = append(all, t)
		}
		if !slices.ContainsFunc(all, func(t Tower) bool { return t.Unread == "" }) {
			return nil, first
		}
	}
	return all, nil
}

// newTower resolves the layers of a tower.
func newTower(path string, part *modelconfig.Config) (Tower, error) {
	t := Tower{File: path, Name: part.Tower, Type: part.Type}
	groups, err := part.LayerScores()
	for _, g := range groups {
		s := g.Scores
		t.Groups = append(t.Groups, TowerLayers{Layers: g.Layers, Width: g.Width, Dimension: g.Dimension,
			Factor: result.Number(s.Factor()), Formula: s.Formula(), Assumed: s.Assumed, Cap: s.Cap,
			Norm: s.Norm, Sink: s.Sink, Position: s.Position, Open: s.Open, Unused: s.Unused, scores: s})
	}
	return t, err
}

// Print writes a paragraph for each group of layers.
func (t Tower) Print(w io.Writer) {
	heading := strings.Trim(t.Type+", "+t.Name, ", ")
	fmt.Fprintf(w, "%s (%s)\n", heading, t.File)
	if t.Unread != "" {
		Paragraph(w, "  unread", 10, t.Unread+".")
	}
	indent := 0
	for _, g := range t.Groups {
		indent = max(indent, utf8.RuneCountInString(g.title())+4)
	}
	for _, g := range t.Groups {
		Paragraph(w, "  "+g.title(), indent, fmt.Sprintf("%s. d_k\x1f=\x1f%d.", g.scores, g.Dimension))
	}
}

// title names the layers: layers 0..11, layers 1, 3, 5, 7, …, or width 96 of a stage.
func (g TowerLayers) title() string {
	const shown = 4
	layers := g.Layers
	switch n := len(layers); {
	case g.Width > 0:
		return fmt.Sprintf("width %d", g.Width)
	case n == 0:
		return "layers"
	case n == 1:
		return fmt.Sprintf("layer %d", layers[0])
	case layers[n-1]-layers[0] == n-1:
		return fmt.Sprintf("layers %d..%d", layers[0], layers[n-1])
	default:
		text := strings.Join(strings.Fields(strings.Trim(fmt.Sprint(layers[:min(shown, n)]), "[]")), ", ")
		if n > shown {
			text += ", …"
		}
		return "layers " + text
	}
}
