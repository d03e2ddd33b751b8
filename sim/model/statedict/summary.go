package statedict

import (
	"mcsim/sim/model/inspect"
	"mcsim/sim/result"
)

// Summarise joins the heads that Measure returned, and says what was judged. If layers differ in scale
// or d_k, the numbers of all heads are those of scaled scores, and the numbers of a head those of its
// layer.
func (m *Model) Summarise(all []Measured, o inspect.Options) inspect.Summary {
	count, notes := m.Heads(), m.Notes
	var parts, scaled []inspect.HeadText
	for _, h := range all {
		parts, scaled = append(parts, h.Part), append(scaled, h.Scaled)
	}
	var s inspect.Summary
	if o.Scale = m.Layers[0].Scale; m.isUniform() {
		s = inspect.Summarise(parts, count, o)
	} else {
		o.Scale = 1
		s = inspect.Summarise(scaled, count, o)
		s.Heads = m.headsByLayer(parts, o)
		notes = append(notes, "Layers differ in their scale or in d_k. The numbers of all heads are of q·k times "+
			"the scale of its layer; those of a head are of its own q·k.")
	}
	for i, h := range all[:count] {
		head := &s.Heads[i]
		head.Layer, head.Head, head.Participation = h.Layer, h.Head, result.Number(h.Participation)
	}
	s.Subject, s.Caveats, s.Notes = m.Subject, m.Caveats, notes
	for _, doubts := range [][]string{m.Doubts, m.Scales} {
		s.Warnings = append(s.Warnings, doubts...)
	}
	s.WarnDependence()
	if m.x == nil {
		s.Dependence = "Tokens are drawn, for queries and for keys apart. Errors are those over tokens, of " +
			"these weights."
	}
	return s
}

// headsByLayer returns the numbers of all heads, each with the scale of its layer.
func (m *Model) headsByLayer(parts []inspect.HeadText, o inspect.Options) (heads []inspect.Head) {
	count := m.Heads()
	for _, l := range m.Layers {
		var some []inspect.HeadText
		for first := len(heads); first < len(parts); first += count {
			some = append(some, parts[first:first+l.Heads]...)
		}
		o.Scale = l.Scale
		heads = append(heads, inspect.Summarise(some, l.Heads, o).Heads...)
	}
	return heads
}
