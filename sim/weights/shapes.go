package weights

// Model is a published model, or two of the same size, and the shape of its heads.
type Model struct {
	Name string
	Shape
	Heads    int // its query heads; not always d_model/d_k
	KeyHeads int // its heads of keys and values
}

// Models lists the models whose shapes the tables name.
var Models = []Model{
	{"Transformer base", Shape{512, 64}, 8, 8},
	{"GPT-2 small", Shape{768, 64}, 12, 12},
	{"BERT-base", Shape{768, 64}, 12, 12},
	{"T5-base", Shape{768, 64}, 12, 12},
	{"GPT-2 medium", Shape{1024, 64}, 16, 16},
	{"BERT-large", Shape{1024, 64}, 16, 16},
	{"GPT-2 large", Shape{1280, 64}, 20, 20},
	{"GPT-2 XL", Shape{1600, 64}, 25, 25},
	{"Llama-2 7B", Shape{4096, 128}, 32, 32},
	{"Gemma-2 27B", Shape{4608, 128}, 32, 16},
	{"Llama-2 13B", Shape{5120, 128}, 40, 40},
	{"Llama-2 70B", Shape{8192, 128}, 64, 8},
	{"GPT-3", Shape{12288, 128}, 96, 96},
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
