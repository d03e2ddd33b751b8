package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
	"mcsim/sim/kernel"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/plan"
	"mcsim/sim/schedule"
	"mcsim/sim/store"
)

// Origin says which random bits a run of this program draws for the plan.
func Origin(p *plan.Plan) store.Origin {
	o := store.Origin{Kernel: kernel.Version, Seed: p.Seed, Attempt: uint64(p.Attempt), Draws: map[string]string{}}
	for _, e := range all.Table {
		if e.Of == "" && p.Draws(e.Name) && slices.ContainsFunc(p.Entries, func(x plan.Entry) bool { return x.Experiment == e }) {
			o.Draws[e.Name] = fingerprint(e)
		}
	}
	return o
}

// OriginOf says which random bits a run of this program draws for the cells of a schedule, which may be
// a share of a plan's.
func OriginOf(s *schedule.Schedule) store.Origin {
	o := store.Origin{Kernel: kernel.Version, Seed: s.Plan.Seed, Attempt: uint64(s.Plan.Attempt), Draws: map[string]string{}}
	for _, w := range s.Works {
		o.Draws[w.Cell.Experiment.Name] = fingerprint(w.Cell.Experiment)
	}
	return o
}

// Versions are what this program draws for every experiment, by their names.
func Versions() map[string]string {
	versions := map[string]string{}
	for _, e := range all.Table {
		if e.Of == "" {
			versions[e.Name] = fingerprint(e)
		}
	}
	return versions
}

// fingerprints are those that were asked for, by the names of their experiments.
var fingerprints sync.Map

// fingerprint is the version of an experiment's draw: a hash of the pilot of a cell, if there is one, and of one small block of
// every name of its axes, so that a change of the bits, or of what a node holds, is
// noticed even where no version was raised.
func fingerprint(e *experiment.Experiment) string {
	if known, ok := fingerprints.Load(e.Name); ok {
		return known.(string)
	}
	h := sha256.New()
	for i, c := range specimens(e) {
		if i == 0 && c.Piloted() {
			h.Write(moments.AppendNode(nil, c.Pilot()))
		}
		c.Learn(moments.Node{}) // nothing: the blocks are the same whatever was learnt
		var d experiment.Drawer
		d.Open(0, 0, c)
		node, _ := d.Draw(context.Background(), moments.Place{})
		h.Write(moments.AppendNode(nil, node))
	}
	version := hex.EncodeToString(h.Sum(nil)[:versionBytes])
	fingerprints.Store(e.Name, version)
	return version
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
