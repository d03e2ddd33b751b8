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

// Origin identifies the random bits that a run of this program samples for the plan.
func Origin(p *plan.Plan) store.Origin {
	return store.Origin{Kernel: kernel.Version, Seed: p.Seed, Attempt: uint64(p.Attempt), SamplerVersion: Version}
}

// versions caches the versions of experiments by their names.
var versions sync.Map

// Version returns the fingerprint of the named experiment's samples, or "" if this program samples
// nothing for it.
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

// fingerprint returns a hash of a pilot, if the experiment has one, and of one small block for
// each name on its axes, so that a change of the bits or of the contents of nodes is noticed even
// if nobody raised a version.
func fingerprint(e *experiment.Experiment) string {
	h := sha256.New()
	for i, c := range specimens(e) {
		if i == 0 && c.HasPilot() {
			h.Write(moments.AppendNode(nil, c.Pilot()))
		}
		c.SetPilot(moments.Node{}) // an empty pilot: it does not change the blocks
		h.Write(moments.AppendNode(nil, experiment.SampleSpecimen(c)))
	}
	return hex.EncodeToString(h.Sum(nil)[:versionBytes])
}

// versionBytes is the number of bytes of a version.
const versionBytes = 8

// specimens returns cells of an experiment, one for each name of each axis with names, with the
// probe's values on the other axes.
func specimens(e *experiment.Experiment) []experiment.Cell {
	var cells []experiment.Cell
	seen := map[string]bool{}
	for i := range e.Axes {
		named := &e.Axes[i]
		if named.Shared || named.Names == nil {
			continue
		}
		for _, name := range named.Names() {
			c := experiment.NewCell(e, probePoint(e, named, name))
			if !seen[c.ID] && c.Refuse(false) == nil && (len(cells) == 0 || c.UnitCost() <= maxSpecimenCost) {
				seen[c.ID] = true
				cells = append(cells, c)
			}
		}
	}
	return cells
}

// maxSpecimenCost is the largest cost of a unit of a specimen, except of the first. Released
// models differ only in size, so the small ones represent all.
const maxSpecimenCost = 1e6

// smallModel is the d_model of specimens: two heads of the probe. The probe's own matrices take
// portable Go twelve seconds.
const smallModel = "128"

// probePoint returns the probe's values on the sampled axes, with a small model and with the given
// value on one axis.
func probePoint(e *experiment.Experiment, except *experiment.Axis, value string) map[string]experiment.AxisValue {
	point := map[string]experiment.AxisValue{}
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
		point[a.Name] = v[0]
	}
	return point
}
