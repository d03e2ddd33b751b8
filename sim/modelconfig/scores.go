package modelconfig

// Scores is how the attention of a layer makes logits from q·k.
type Scores struct {
	Terms    []Term   // factors of q·k; the product is Factor
	Cap      float64  // logits become Cap·tanh(logit/Cap); 0 if there is no cap
	Norm     string   // norm of queries and keys, in words; empty if there is none
	Sink     string   // what rows have besides keys, in words; empty if nothing
	Position string   // temperature that depends on the position, in words; empty if there is none
	More     string   // what is added to q·k or changes it otherwise, in words; empty if nothing
	Unused   []string // keys of the config, with values, that may concern the scale and are not understood
	Source   string   // the file, or the ledger
}

// Term is one factor of q·k.
type Term struct {
	Value float64
	Text  string // formula, such as 64^(-1/2)
}

// Factor returns the product of the terms.
func (s Scores) Factor() float64 {
	factor := 1.0
	for _, t := range s.Terms {
		factor = float64(factor * t.Value)
	}
	return factor
}

// Scores returns how a layer makes logits: layer is its number from 0, dimension its d_k.
func (c *Config) Scores(layer int, dimension int) Scores {
	panic("to do")
}
