package show

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"mcsim/sim/attention/modelconfig"
	"mcsim/sim/result"
)

// Tower describes how one tower of a config.json turns q·k into logits.
type Tower struct {
	File   string        `json:"file"`
	Name   string        `json:"tower,omitempty"` // name of the nested object
	Type   string        `json:"model_type"`
	Groups []TowerLayers `json:"layers"`
	Unread string        `json:"unread,omitempty"` // why the tower could not be understood
}

// TowerLayers are layers of a tower with the same factor, norm and position encoding.
type TowerLayers struct {
	Layers    []int         `json:"numbers"`         // empty if the config does not give their number
	Width     int           `json:"width,omitempty"` // width of the stage's tokens, if stages differ
	Dimension int           `json:"d_k"`
	Factor    result.Number `json:"factor"`
	Formula   string        `json:"formula"`
	Assumed   bool          `json:"assumed"` // the config does not state the factor
	Cap       float64       `json:"cap"`     // 0 if there is none
	Norm      string        `json:"qk_norm"`
	Sink      string        `json:"sink"`
	Position  string        `json:"by_position"`
	Open      []string      `json:"besides"` // changes of the logits beyond a factor
	Unused    []string      `json:"not_understood"`

	scores modelconfig.Scores
}

// ReadTowers reads every tower of the config.json files at paths; a path may be a folder with a
// config.json.
func ReadTowers(paths []string) (towers []Tower, err error) {
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			path = filepath.Join(path, "config.json")
		}
		fileTowers, err := readTowers(path)
		if err != nil {
			return nil, err
		}
		towers = append(towers, fileTowers...)
	}
	return towers, nil
}

// readTowers reads the towers of a config.json. It fails if no tower can be understood.
func readTowers(path string) (towers []Tower, err error) {
	c, err := modelconfig.Read(path)
	if err != nil {
		return nil, err
	}
	var failures []error
	for _, config := range c.Towers() {
		t := Tower{File: path, Name: config.Tower, Type: config.Type}
		groups, err := config.LayerScores()
		if err != nil {
			failures = append(failures, err)
			t.Unread = strings.TrimPrefix(err.Error(), path+": ")
		}
		for _, g := range groups {
			t.Groups = append(t.Groups, newTowerLayers(g))
		}
		towers = append(towers, t)
	}
	if len(towers) == 0 {
		return nil, fmt.Errorf("%s: it states no number of heads, such as num_attention_heads", path)
	}
	if len(failures) == len(towers) {
		return nil, failures[0]
	}
	return towers, nil
}

func newTowerLayers(g modelconfig.LayerScores) TowerLayers {
	s := g.Scores
	return TowerLayers{
		Layers:    g.Layers,
		Width:     g.Width,
		Dimension: g.Dimension,
		Factor:    result.Number(s.Factor()),
		Formula:   s.Formula(),
		Assumed:   s.Assumed,
		Cap:       s.Cap,
		Norm:      s.Norm,
		Sink:      s.Sink,
		Position:  s.Position,
		Open:      s.Open,
		Unused:    s.Unused,
		scores:    s,
	}
}

// Print prints a paragraph for each group of layers.
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

// title returns a title such as "layers 0..11", "layers 1, 3, 5, 7, …", or "width 96" for a stage.
func (g TowerLayers) title() string {
	const maxShown = 4
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
		text := strings.Join(strings.Fields(strings.Trim(fmt.Sprint(layers[:min(maxShown, n)]), "[]")), ", ")
		if n > maxShown {
			text += ", …"
		}
		return "layers " + text
	}
}
