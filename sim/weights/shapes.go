package weights

import (
	"strings"
	"unicode"

	"mcsim/sim/names"
)

// Model is a published model, or two of the same size, and the shape of its heads, which
// are not always d_model/d_k.
type Model struct {
	Name string
	Layer
	// Init is how W_Q and W_K of the model were drawn, as the source of that
	// initialisation says; of Llama 2, whose own is not published, that of its port. GPT-3
	// has the one of GPT-2 (Brown et al., Language Models are Few-Shot Learners, 2020, 2.1).
	Init string
	// RMS says that tokens are behind RMSNorm, which leaves them their mean, and not behind
	// LayerNorm (Raffel et al., Exploring the Limits of Transfer Learning, 2020, 2.1; Touvron
	// et al., LLaMA, 2023, 2.2; Gemma Team, Gemma 2, 2024, 2).
	RMS bool
	// Context is how many tokens a text has at most as the model was trained; 0 where its
	// paper names none (Radford et al., Language Models are Unsupervised Multitask Learners,
	// 2019, 2.3; Devlin et al., BERT, 2019, A.2; Raffel et al., 3.1.2; Touvron et al., Llama 2,
	// 2023, 2.2; Gemma Team, 2; Brown et al., 2.1).
	Context int
}

// Models lists the models whose shapes the tables name.
var Models = []Model{
	{"Transformer base", Layer{Shape{512, 64}, 8, 8}, names.InitGlorotFused, false, 0},
	{"GPT-2 small", Layer{Shape{768, 64}, 12, 12}, names.InitNormal002, false, 1024},
	{"BERT-base", Layer{Shape{768, 64}, 12, 12}, names.InitTFTruncated002, false, 512},
	{"T5-base", Layer{Shape{768, 64}, 12, 12}, names.InitT5, true, 512},
	{"GPT-2 medium", Layer{Shape{1024, 64}, 16, 16}, names.InitNormal002, false, 1024},
	{"BERT-large", Layer{Shape{1024, 64}, 16, 16}, names.InitTFTruncated002, false, 512},
	{"GPT-2 large", Layer{Shape{1280, 64}, 20, 20}, names.InitNormal002, false, 1024},
	{"GPT-2 XL", Layer{Shape{1600, 64}, 25, 25}, names.InitNormal002, false, 1024},
	{"Llama-2 7B", Layer{Shape{4096, 128}, 32, 32}, names.InitNormal002, true, 4096},
	{"Gemma-2 27B", Layer{Shape{4608, 128}, 32, 16}, names.InitGemma2, true, 8192},
	{"Llama-2 13B", Layer{Shape{5120, 128}, 40, 40}, names.InitNormal002, true, 4096},
	{"Llama-2 70B", Layer{Shape{8192, 128}, 64, 8}, names.InitNormal002, true, 4096},
	{"GPT-3", Layer{Shape{12288, 128}, 96, 96}, names.InitNormal002, false, 2048},
}

// ModelsOf lists the models whose heads have the shape.
func ModelsOf(s Shape) []Model {
	var found []Model
	for _, m := range Models {
		if m.Shape == s {
			found = append(found, m)
		}
	}
	return found
}

// Typed is the model's name as one types it: gpt-2-small.
func (m Model) Typed() string { return strings.ReplaceAll(strings.ToLower(m.Name), " ", "-") }

// smallest are models that are called by the name of their family alone, as a hub of
// models does.
var smallest = map[string]string{"gpt2": "gpt2small", "bert": "bertbase", names.InitT5: "t5base", "llama": "llama27b", "llama2": "llama27b"}

// LookupModel finds a model by its name, however it is spelt; of an unknown one the error
// suggests the nearest.
func LookupModel(text string) (Model, error) {
	letters := func(text string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, text)
	}
	wanted := letters(text)
	if whole, ok := smallest[wanted]; ok {
		wanted = whole
	}
	for _, m := range Models {
		if letters(m.Name) == wanted {
			return m, nil
		}
	}
	return Model{}, names.UnknownError{Kind: "model", Name: text, Names: ModelNames()}
}

// ModelNames lists the models as one types them.
func ModelNames() []string { return names.Each(Models, Model.Typed) }
