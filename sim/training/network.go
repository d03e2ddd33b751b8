package training

import "mcsim/sim/training/tape"

// Network is a model of a setting, with scratch for as many seeds as stand side by side.
type Network struct {
	Setting
	tape tape.Tape

	// What is given.
	keys     *tape.Matrix // tokens, a row each, sequence by sequence
	values   *tape.Matrix // their values
	queries  *tape.Matrix // tokens that ask, a row each
	wanted   *tape.Matrix
	sequence *tape.Matrix // of two layers: tokens and the one that asks, sequence by sequence

	// What can be trained.
	query, key           *tape.Matrix // W_Q and W_K
	firstQuery, firstKey *tape.Matrix // those of the first of two layers
	value, output        *tape.Matrix // W_V and W_O
	additive             *tape.Matrix // u of additive scores, which does not train

	// What is made of it.
	asking, seen *tape.Matrix // tokens that ask, and those that are seen, as the last layer has them
	logits       *tape.Matrix
	weights      *tape.Matrix
	loss         *tape.Matrix

	train []trained
}

// trained are weights that train, with their rate and what Adam remembers of them.
type trained struct {
	*tape.Matrix
	own  bool // at the rate of W_Q and W_K
	m, v []tape.Number
}

// New returns the network of a setting.
func New(s Setting) *Network {
	n := &Network{Setting: s,
		keys: tape.Constant(Sequences*Keys, Tokens), values: tape.Constant(Sequences*Keys, Values),
		queries: tape.Constant(Sequences, Tokens), wanted: tape.Constant(Sequences, Values),
		query: tape.Variable(Tokens, s.Dimension), key: tape.Variable(Tokens, s.Dimension),
		sequence: &tape.Matrix{}}
	n.add(true, n.query, n.key)
	n.asking, n.seen = n.queries, n.keys
	if s.Rule.Variant == TwoLayers {
		n.firstLayer()
	}
	n.logits = n.tape.Times(n.scores(), s.Rule.Scale(s.Dimension))
	n.weights = n.tape.Softmax(n.logits)
	values := n.values
	if s.All {
		n.value, n.output = tape.Variable(Tokens, Values), tape.Variable(Values, Values)
		n.add(false, n.value, n.output)
		values = n.tape.Product(n.keys, n.value)
	}
	out := n.tape.Mix(Sequences, n.weights, values)
	if s.All {
		out = n.tape.Product(out, n.output)
	}
	n.loss = n.tape.Error(out, n.wanted)
	return n
}

// add adds weights that train.
func (n *Network) add(own bool, weights ...*tape.Matrix) {
	for _, w := range weights {
		t := trained{Matrix: w, own: own}
		if n.Adam {
			t.m, t.v = make([]tape.Number, len(w.V)), make([]tape.Number, len(w.V))
		}
		n.train = append(n.train, t)
	}
}

// scores are those of the tokens that ask with the tokens of their sequences.
func (n *Network) scores() *tape.Matrix {
	t := &n.tape
	switch n.Rule.Variant {
	case Normalised:
		return t.Scores(Sequences, t.Normalise(t.Product(n.asking, n.query)), t.Normalise(t.Product(n.seen, n.key)))
	case Additive:
		n.additive = tape.Constant(1, n.Dimension)
		return t.Additive(Sequences, t.Product(n.asking, n.query), t.Product(n.seen, n.key), n.additive)
	}
	return t.Scores(Sequences, t.Product(n.asking, t.ProductTurned(n.query, n.key)), n.seen)
}

// firstLayer adds to every token what a layer of its own weights makes of its sequence.
func (n *Network) firstLayer() {
	t := &n.tape
	n.sequence = tape.Constant(Sequences*(Keys+1), Tokens)
	n.firstQuery, n.firstKey = tape.Variable(Tokens, n.Dimension), tape.Variable(Tokens, n.Dimension)
	n.add(true, n.firstQuery, n.firstKey)
	scores := t.Scores(Sequences, t.Product(n.sequence, t.ProductTurned(n.firstQuery, n.firstKey)), n.sequence)
	weights := t.Softmax(t.Times(scores, n.Rule.Scale(n.Dimension)))
	stream := t.Sum(n.sequence, t.Mix(Sequences, weights, n.sequence))
	n.asking, n.seen = t.Pick(stream, Keys+1, Keys, 1), t.Pick(stream, Keys+1, 0, Keys)
}

// step takes one step of the optimiser on the gradients.
func (n *Network) step(adam *tape.AdamStep) {
	if n.Adam {
		adam.Next(n.Rate)
	}
	for _, w := range n.train {
		rate := n.Rate
		if !w.own {
			rate = n.Rest
		}
		if n.Adam {
			tape.Adam(w.Matrix, w.m, w.v, adam.At(rate))
		} else {
			tape.Descend(w.Matrix, rate)
		}
	}
}

// matrices are those that train.
func (n *Network) matrices() (all []*tape.Matrix) {
	for _, w := range n.train {
		all = append(all, w.Matrix)
	}
	return all
}
