package run

import (
	"context"
	"crypto/sha256"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
	"mcsim/sim/kernel"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/plan"
	"mcsim/sim/store"
)

// Origin says which random bits a run of this program draws for the plan.
// It includes a fingerprint of the pilot of every experiment that has one, and of one small
// block of every experiment and name of its axes, so that a change of the bits, or of what a node holds, is
// noticed even where no version was raised.
func Origin(p *plan.Plan) store.Origin {
	h := sha256.New()
	for _, e := range all.Table {
		if e.Of != "" {
			continue
		}
		for i, c := range specimens(e) {
			if i == 0 && c.Piloted() {
				h.Write(moments.AppendNode(nil, c.Pilot()))
			}
			c.Learn(moments.Node{}) // nothing: the blocks are the same whatever was learnt
			var d experiment.Drawer
			d.Open(p.Seed, 0, c)
			node, _ := d.Draw(context.Background(), moments.Place{})
			h.Write(moments.AppendNode(nil, node))
		}
	}
	return store.Origin{Kernel: kernel.Version, Seed: p.Seed, Attempt: uint64(p.Attempt), Probe: [32]byte(h.Sum(nil))}
}

// specimens are cells of an experiment, one for each name of each axis that has
// names, at the probe's values of the others.
func specimens(e *experiment.Experiment) []experiment.Cell {
	var cells []experiment.Cell
	seen := map[string]bool{}
	for i := range e.Axes {
		named := &e.Axes[i]
		if named.Shared || named.Names == nil {
			continue
		}
		for _, name := range named.Names() {
			c := experiment.NewCell(e, probed(e, named, name))
			if !seen[c.ID] && e.Refuse(c, false) == nil {
				seen[c.ID] = true
				cells = append(cells, c)
			}
		}
	}
	return cells
}

// smallModel is a token of two heads of the probe's: the matrices of the probe itself take
// portable Go twelve seconds.
const smallModel = "128"

// probed is the point of a probe, but for one axis, and with a small model.
func probed(e *experiment.Experiment, except *experiment.Axis, value string) map[string]experiment.Value {
	at := map[string]experiment.Value{}
	for i := range e.Axes {
		a := &e.Axes[i]
		text := a.Probe
		switch {
		case a == except:
			text = value
		case a.Name == names.ParamModel:
			text = smallModel
		}
		if a.Shared {
			continue
		}
		v, err := a.ParseAll(text)
		if err != nil {
			panic("run: an axis does not parse its own values")
		}
		at[a.Name] = v[0]
	}
	return at
}
