package weights

import (
	"slices"
	"testing"
)

func TestNames(t *testing.T) {
	want := []string{
		"glorot-uniform", "glorot-normal", "glorot-fused", "torch-mha", "he-normal", "he-uniform", "he-fan-out", "lecun-normal",
		"torch-linear", "normal-0.02", "tf-truncated-0.02", "torch-truncated-0.02", "t5", "orthogonal", "mup", "mup-8", "mup-zero-query",
		"keras", "keras-before-2026", "flax", "haiku", "neox-small", "qk-norm", "gemma2-27b",
	}
	if got := Names(); !slices.Equal(got, want) {
		t.Errorf("the schemes are %v, want %v", got, want)
	}
	for _, name := range want {
		if s, ok := Lookup(name); !ok || s.Name != name {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if _, ok := Lookup("torch"); ok {
		t.Error("there is a scheme called torch")
	}
}

// Whatever a page says of a scheme is there.
func TestSchemesAreTold(t *testing.T) {
	for _, s := range table {
		f := s.Formulas
		if s.Title == "" || s.Framework == "" || s.Source == "" || f.Entry == "" || f.Query == "" || f.Key == "" || f.Scale == "" || f.Logit == "" {
			t.Errorf("%s: %+v", s.Name, s)
		}
	}
}

func TestModels(t *testing.T) {
	for _, m := range Models {
		if m.Shape.Heads() == 0 || m.Shape.Heads() != m.Heads && m.Name != "Gemma-2 27B" {
			t.Errorf("%s: %d heads of %+v", m.Name, m.Heads, m.Shape)
		}
	}
	var names []string
	for _, m := range ModelsOf(Shape{768, 64}) {
		names = append(names, m.Name)
	}
	if want := []string{"GPT-2 small", "BERT-base", "T5-base"}; !slices.Equal(names, want) {
		t.Errorf("768/64 is %v, want %v", names, want)
	}
	if (Shape{512, 100}).Heads() != 0 || (Shape{64, 128}).Heads() != 0 {
		t.Error("heads that do not divide d_model")
	}
}
