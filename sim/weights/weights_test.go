package weights

import (
	"slices"
	"strings"
	"testing"
)

func TestModels(t *testing.T) {
	for _, m := range Models {
		if m.Shape.Heads() == 0 || m.Shape.Heads() != m.Heads && m.Name != "Gemma-2 27B" {
			t.Errorf("%s: %d heads of %+v", m.Name, m.Heads, m.Shape)
		}
		for _, text := range []string{m.Name, m.Typed()} {
			if found, err := LookupModel(text); err != nil || found != m {
				t.Errorf("%s is found as %+v, %v", text, found, err)
			}
		}
		if _, ok := Lookup(m.Init); !ok {
			t.Errorf("%s: there is no initialisation %s", m.Name, m.Init)
		}
	}
	for text, want := range map[string]string{"gpt2": "GPT-2 small", "GPT2-XL": "GPT-2 XL", "t5": "T5-base", "llama": "Llama-2 7B", "bert": "BERT-base"} {
		if m, err := LookupModel(text); err != nil || m.Name != want {
			t.Errorf("%s is %+v, %v", text, m, err)
		}
	}
	if _, err := LookupModel("gpt2-xs"); err == nil || !strings.Contains(err.Error(), "did you mean gpt-2-xl?") {
		t.Errorf("gpt2-xs: %v", err)
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
