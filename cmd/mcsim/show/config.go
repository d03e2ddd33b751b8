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
	Unread string        `json:"unread,omitempty"` // why the tower is not understood; else empty
}

// TowerLayers are layers of a tower with the same factor, norm and position encoding.
type TowerLayers struct {
	Layers       []int         `json:"numbers"`         // empty if the config does not number its layers
	Width        int           `json:"width,omitempty"` // width of the stage's tokens, if stages differ
	Dimension    int           `json:"d_k"`
	Factor       result.Number `json:"factor"` // the model multiplies q·k by it
	Formula      string        `json:"formula"`
	Assumed      bool          `json:"assumed"` // the config does not state the factor
	Cap          float64       `json:"cap"`     // soft cap of the logits; 0 if the model has no cap
	Norm         string        `json:"qk_norm"`
	Sink         string        `json:"sink"`
	Position     string        `json:"by_position"`
	OtherChanges []string      `json:"besides"`        // changes of the logits other than the factor
	Unused       []string      `json:"not_understood"` // keys of the config that may change the logits

	scores modelconfig.Scores
}

// ReadTowers reads every tower of the config.json files at paths. A path names such a file, or a
// folder that contains one.
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
		Layers:       g.Layers,
		Width:        g.Width,
		Dimension:    g.Dimension,
		Factor:       result.Number(s.Factor()),
		Formula:      s.Formula(),
		Assumed:      s.Assumed,
		Cap:          s.Cap,
		Norm:         s.Norm,
		Sink:         s.Sink,
		Position:     s.Position,
		OtherChanges: s.Unresolved,
		Unused:       s.Unused,
		scores:       s,
	}
}

// Print prints a paragraph for each group of layers.
func (t Tower) Print(w io.Writer) {
	heading := strings.Trim(t.Type+", "+t.Name, ", ")
	Linef(w, "%s (%s)", heading, t.File)
	if t.Unread != "" {
		Paragraph(w, "  unread", 10, t.Unread+".")
	}
	indent := 0
	for _, g := range t.Groups {
		indent = max(indent, utf8.RuneCountInString(g.title())+4)
	}
	for _, g := range t.Groups {
		Paragraph(w, "  "+g.title(), indent, fmt.Sprintf("%s. d_k"+noBreak+"="+noBreak+"%d.", g.scores, g.Dimension))
	}
}

// title returns a title such as "layers 0..11" or "layers 1, 3, 5, 7, …". If the stages of the
// tower have different widths, the title is the width of the stage, such as "width 96".
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
		text := strings.Trim(fmt.Sprint(layers[:min(maxShown, n)]), "[]")
		text = strings.ReplaceAll(text, " ", ", ")
		if n > maxShown {
			text += ", …"
		}
		return "layers " + text
	}
}
