package statedict

import (
	"mcsim/sim/model/inspect"
	"mcsim/sim/result"
)

// Summarise joins the heads that Measure returned and describes what was judged. If layers differ
// in scale or d_k, the estimates over all heads describe scores times the scale, and the estimates
// of one head describe scores without the scale.
func (m *Model) Summarise(heads []MeasuredHead, o inspect.Options) inspect.Summary {
	count, notes := m.Heads(), m.Notes
	var texts, scaledTexts []inspect.HeadText
	for _, h := range heads {
		texts, scaledTexts = append(texts, h.Text), append(scaledTexts, h.ScaledText)
	}
	var s inspect.Summary
	if m.isUniform() {
		o.Scale = m.Layers[0].Scale
		s = inspect.Summarise(texts, count, o)
	} else {
		o.Scale = 1
		s = inspect.Summarise(scaledTexts, count, o)
		s.Heads, s.Layers = m.summariseLayers(texts, o)
		notes = append(notes, "Layers differ in their scale or in d_k. The numbers of all heads are of q·k times "+
			"the scale of its layer; those of a head are of its own q·k.")
	}
	for i, h := range heads[:count] {
		head := &s.Heads[i]
		head.Layer, head.Head, head.Participation = h.Layer, h.Head, result.Number(h.Participation)
	}
	if m.isUniform() {
		s.SetLayers(texts, o)
	}
	s.Subject, s.Caveats, s.Notes = m.Subject, m.Caveats, notes
	for _, doubts := range [][]string{m.Doubts, m.Scales} {
		s.Warnings = append(s.Warnings, doubts...)
	}
	s.WarnDependence()
	if m.activations == nil {
		s.Dependence = "Tokens are drawn, different ones for queries and for keys. Errors are over tokens, for " +
			"these weights."
	}
	return s
}

// summariseLayers returns the estimates of each head and each layer, with the scale of the layer.
func (m *Model) summariseLayers(texts []inspect.HeadText, o inspect.Options) (heads, layers []inspect.Head) {
	count := m.Heads()
	for _, l := range m.Layers {
		var layerTexts []inspect.HeadText
		for first := len(heads); first < len(texts); first += count {
			layerTexts = append(layerTexts, texts[first:first+l.Heads]...)
		}
		o.Scale = l.Scale
		s := inspect.Summarise(layerTexts, l.Heads, o)
		heads = append(heads, s.Heads...)
		layers = append(layers, inspect.Head{Layer: l.Title, Head: -1, Estimates: s.Overall})
	}
	return heads, layers
}
