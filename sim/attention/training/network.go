package training

// Network is a model of a setting, with scratch for as many seeds as stand side by side.
type Network struct {
	Setting
	tape Tape

	// What is given.
	keys     *Matrix // tokens, a row each, sequence by sequence
	values   *Matrix // their values
	queries  *Matrix // tokens that ask, a row each
	wanted   *Matrix
	sequence *Matrix // of two layers: tokens and the one that asks, sequence by sequence

	// What can be trained.
	query, key           *Matrix // W_Q and W_K
	firstQuery, firstKey *Matrix // those of the first of two layers
	value, output        *Matrix // W_V and W_O
	additive             *Matrix // u of additive scores, which does not train

	// What is made of it.
	asking, seen *Matrix // tokens that ask, and those that are seen, as the last layer has them
	loss         *Matrix

	train []trained
}

// trained are weights that train, with their rate and what Adam remembers of them.
type trained struct {
	*Matrix
	own  bool // at the rate of W_Q and W_K
	m, v []Number
}

// New returns the network of a setting.
func New(s Setting) *Network {
	n := &Network{Setting: s,
		keys: Constant(Sequences*Keys, Tokens), values: Constant(Sequences*Keys, Values),
		queries: Constant(Sequences, Tokens), wanted: Constant(Sequences, Values),
		query: Variable(Tokens, s.Dimension), key: Variable(Tokens, s.Dimension),
		sequence: &Matrix{}}
	n.add(true, n.query, n.key)
	n.asking, n.seen = n.queries, n.keys
	if s.Rule.Variant == TwoLayers {
		n.firstLayer()
	}
	weights := n.tape.Softmax(n.tape.Times(n.scores(), s.Rule.Scale(s.Dimension)))
	values := n.values
	if s.All {
		n.value, n.output = Variable(Tokens, Values), Variable(Values, Values)
		n.add(false, n.value, n.output)
		values = n.tape.Product(n.keys, n.value)
	}
	out := n.tape.Mix(Sequences, weights, values)
	if s.All {
		out = n.tape.Product(out, n.output)
	}
	n.loss = n.tape.Error(out, n.wanted)
	return n
}

// add adds weights that train.
func (n *Network) add(own bool, weights ...*Matrix) {
	for _, w := range weights {
		t := trained{Matrix: w, own: own}
		if n.Adam {
			t.m, t.v = make([]Number, len(w.V)), make([]Number, len(w.V))
		}
		n.train = append(n.train, t)
	}
}

// scores returns the scores of the tokens that ask with the tokens of their sequences.
func (n *Network) scores() *Matrix {
	t := &n.tape
	switch n.Rule.Variant {
	case Normalised:
		return t.Scores(Sequences, t.Normalise(t.Product(n.asking, n.query)), t.Normalise(t.Product(n.seen, n.key)))
	case Additive:
		n.additive = Constant(1, n.Dimension)
		return t.Additive(Sequences, t.Product(n.asking, n.query), t.Product(n.seen, n.key), n.additive)
	}
	return t.Scores(Sequences, t.Product(n.asking, t.ProductTurned(n.query, n.key)), n.seen)
}

// firstLayer adds to every token what a layer of its own weights makes of its sequence.
func (n *Network) firstLayer() {
	t := &n.tape
	n.sequence = Constant(Sequences*(Keys+1), Tokens)
	n.firstQuery, n.firstKey = Variable(Tokens, n.Dimension), Variable(Tokens, n.Dimension)
	n.add(true, n.firstQuery, n.firstKey)
	scores := t.Scores(Sequences, t.Product(n.sequence, t.ProductTurned(n.firstQuery, n.firstKey)), n.sequence)
	weights := t.Softmax(t.Times(scores, n.Rule.Scale(n.Dimension)))
	stream := t.Sum(n.sequence, t.Mix(Sequences, weights, n.sequence))
	n.asking, n.seen = t.Pick(stream, Keys+1, Keys, 1), t.Pick(stream, Keys+1, 0, Keys)
}

// step takes one step of the optimiser on the gradients.
func (n *Network) step(adam *AdamStep) {
	if n.Adam {
		adam.Next(n.Rate)
	}
	for _, w := range n.train {
		rate := n.Rate
		if !w.own {
			rate = n.Rest
		}
		if n.Adam {
			Adam(w.Matrix, w.m, w.v, adam.At(rate))
		} else {
			Descend(w.Matrix, rate)
		}
	}
}

// matrices returns the matrices that train.
func (n *Network) matrices() (all []*Matrix) {
	for _, w := range n.train {
		all = append(all, w.Matrix)
	}
	return all
}
