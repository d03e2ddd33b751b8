package run

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/plan"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
)

// Origin says which random bits a run of this program draws for the plan.
func Origin(p *plan.Plan) store.Origin {
	return store.Origin{Kernel: kernel.Version, Seed: p.Seed, Attempt: uint64(p.Attempt), Draw: Version}
}

// versions are those that were asked for, by the names of their experiments.
var versions sync.Map

// Version is that of what this program draws for the experiment of a name, empty if it draws nothing for it.
func Version(experiment string) string {
	if known, ok := versions.Load(experiment); ok {
		return known.(string)
	}
	e, err := all.Lookup(experiment)
	if err != nil || e.Sampler == nil {
		return ""
	}
	version := fingerprint(e)
	versions.Store(experiment, version)
	return version
}

// fingerprint is a hash of the pilot of a cell, if the experiment has one, and of one small block of
// every name of its axes, so that a change of the bits, or of what a node holds, is
// noticed even where no version was raised.
func fingerprint(e *experiment.Experiment) string {
	h := sha256.New()
	for i, c := range specimens(e) {
		if i == 0 && c.Piloted() {
			h.Write(moments.AppendNode(nil, c.Pilot()))
		}
		c.Learn(moments.Node{}) // nothing: the blocks are the same whatever was learnt
		h.Write(moments.AppendNode(nil, experiment.Specimen(c)))
	}
	return hex.EncodeToString(h.Sum(nil)[:versionBytes])
}

// versionBytes of a hash tell versions apart.
const versionBytes = 8

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
			if !seen[c.ID] && c.Refuse(false) == nil && (len(cells) == 0 || c.UnitCost() <= dear) {
				seen[c.ID] = true
				cells = append(cells, c)
			}
		}
	}
	return cells
}

// dear is what a unit of a specimen costs at most, in drawn components, but for the first: of
// heads of released models, which differ in size alone, the small ones stand for all.
const dear = 1e6

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
