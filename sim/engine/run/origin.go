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

// Origin returns what identifies the random bits that a run of this program samples for the plan.
func Origin(p *plan.Plan) store.Origin {
	return store.Origin{Kernel: kernel.Version, Seed: p.Seed, Attempt: uint64(p.Attempt), SamplerVersion: Version}
}

// versions caches the versions of experiments by their names.
var versions sync.Map

// Version returns the fingerprint of the named experiment's samples, or "" if the experiment is
// unknown or does not sample.
func Version(experiment string) string {
	if known, ok := versions.Load(experiment); ok {
		return known.(string)
	}
	e, err := all.Lookup(experiment)
	isSampled := err == nil && e.Sampler != nil
	if !isSampled {
		return ""
	}
	version := fingerprint(e)
	versions.Store(experiment, version)
	return version
}

// fingerprint returns a hash of the samples of the experiment's specimens: the pilot of the first
// one, if it has a pilot, and a small block of each. Thus a change of the bits or of the contents
// of nodes changes the hash, even if nobody changed a version by hand.
func fingerprint(e *experiment.Experiment) string {
	h := sha256.New()
	for i, c := range specimens(e) {
		if i == 0 && c.HasPilot() {
			h.Write(moments.AppendNode(nil, c.Pilot()))
		}
		c.SetPilot(moments.Node{}) // an empty one, so that the pilot is not sampled again
		h.Write(moments.AppendNode(nil, experiment.SampleSpecimen(c)))
	}
	return hex.EncodeToString(h.Sum(nil)[:versionBytes])
}

// versionBytes is the number of bytes of the hash that a version has.
const versionBytes = 8

// specimens returns small cells of an experiment: one for each name of each axis with names, with
// the values of probePoint on the other axes.
func specimens(e *experiment.Experiment) []experiment.Cell {
	var cells []experiment.Cell
	seen := map[string]bool{}
	for i := range e.Axes {
		named := &e.Axes[i]
		if named.Shared || named.HasNoSpecimens || named.Names == nil {
			continue
		}
		for _, name := range named.Names() {
			c := experiment.NewCell(e, probePoint(e, named, name))
			isValid := c.Refuse(false) == nil
			isCheap := len(cells) == 0 || c.UnitCost() <= maxSpecimenCost
			if !seen[c.ID] && isValid && isCheap {
				seen[c.ID] = true
				cells = append(cells, c)
			}
		}
	}
	return cells
}

// maxSpecimenCost is the largest cost, in components, of a unit of a specimen after the first.
// Released models differ only in size, so that the small ones represent all.
const maxSpecimenCost = 1e6

// smallModel is the d_model of specimens, the size of two heads of the probe. With the default
// d_model of the probe, sampling the matrices would take portable Go twelve seconds.
const smallModel = "128"

// probePoint returns the default values of the command probe on the sampled axes of an experiment,
// except for smallModel and for the given value on the axis fixed.
func probePoint(e *experiment.Experiment, fixed *experiment.Axis, value string) map[string]experiment.AxisValue {
	point := map[string]experiment.AxisValue{}
	for i := range e.Axes {
		a := &e.Axes[i]
		if a.Shared {
			continue
		}
		text := a.Probe
		switch {
		case a == fixed:
			text = value
		case a.Name == names.ParamModel:
			text = smallModel
		}
		v, err := a.ParseAll(text)
		if err != nil {
			panic("run: the axis " + a.Name + " does not parse its own value " + text)
		}
		point[a.Name] = v[0]
	}
	return point
}
