package training

// Network is the model of a setting, with scratch memory for Width seeds.
type Network struct {
	Setting
	tape Tape

	// Data.
	keys     *Matrix // tokens, one per row, sequence by sequence
	values   *Matrix // values of the tokens
	queries  *Matrix // questions, one per row
	targets  *Matrix
	sequence *Matrix // for two layers: tokens and question, sequence by sequence

	// Weights.
	query, key           *Matrix // W_Q and W_K
	firstQuery, firstKey *Matrix // W_Q and W_K of the first of two layers
	value, output        *Matrix // W_V and W_O
	additive             *Matrix // u of additive scores, which does not train

	// Results.
	lastQueries, lastTokens *Matrix // questions and tokens as input of the last layer
	loss                    *Matrix

	trainable []trainedWeights
}

// trainedWeights is a matrix that trains, with the state of Adam.
type trainedWeights struct {
	*Matrix
	isQueryKey bool // trains at the rate of W_Q and W_K
	m, v       []Number
}

// New returns the network of a setting.
func New(s Setting) *Network {
	n := &Network{Setting: s,
		keys: Constant(Sequences*Keys, TokenSize), values: Constant(Sequences*Keys, ValueSize),
		queries: Constant(Sequences, TokenSize), targets: Constant(Sequences, ValueSize),
		query: Variable(TokenSize, s.Dimension), key: Variable(TokenSize, s.Dimension),
		sequence: &Matrix{}}
	n.addTrainable(true, n.query, n.key)
	n.lastQueries, n.lastTokens = n.queries, n.keys
	if s.Rule.Variant == TwoLayers {
		n.addFirstLayer()
	}
	weights := n.tape.Softmax(n.tape.Scale(n.scores(), s.Rule.Scale(s.Dimension)))
	values := n.values
	if s.AllWeights {
		n.value, n.output = Variable(TokenSize, ValueSize), Variable(ValueSize, ValueSize)
		n.addTrainable(false, n.value, n.output)
		values = n.tape.Product(n.keys, n.value)
	}
	output := n.tape.WeightedSum(Sequences, weights, values)
	if s.AllWeights {
		output = n.tape.Product(output, n.output)
	}
	n.loss = n.tape.MeanSquaredError(output, n.targets)
	return n
}

func (n *Network) addTrainable(isQueryKey bool, weights ...*Matrix) {
	for _, w := range weights {
		t := trainedWeights{Matrix: w, isQueryKey: isQueryKey}
		if n.Adam {
			t.m, t.v = make([]Number, len(w.V)), make([]Number, len(w.V))
		}
		n.trainable = append(n.trainable, t)
	}
}

// scores returns the scores of the questions with the tokens of their sequences.
func (n *Network) scores() *Matrix {
	t := &n.tape
	switch n.Rule.Variant {
	case Normalised:
		return t.Scores(Sequences, t.Normalise(t.Product(n.lastQueries, n.query)),
			t.Normalise(t.Product(n.lastTokens, n.key)))
	case Additive:
		n.additive = Constant(1, n.Dimension)
		return t.AdditiveScores(Sequences, t.Product(n.lastQueries, n.query), t.Product(n.lastTokens, n.key),
			n.additive)
	}
	return t.Scores(Sequences, t.Product(n.lastQueries, t.ProductTransposed(n.query, n.key)), n.lastTokens)
}

// addFirstLayer adds to every token the output of another attention layer over its sequence.
func (n *Network) addFirstLayer() {
	t := &n.tape
	n.sequence = Constant(Sequences*(Keys+1), TokenSize)
	n.firstQuery, n.firstKey = Variable(TokenSize, n.Dimension), Variable(TokenSize, n.Dimension)
	n.addTrainable(true, n.firstQuery, n.firstKey)
	scores := t.Scores(Sequences, t.Product(n.sequence, t.ProductTransposed(n.firstQuery, n.firstKey)), n.sequence)
	weights := t.Softmax(t.Scale(scores, n.Rule.Scale(n.Dimension)))
	residual := t.Add(n.sequence, t.WeightedSum(Sequences, weights, n.sequence))
	n.lastQueries, n.lastTokens = t.SelectRows(residual, Keys+1, Keys, 1), t.SelectRows(residual, Keys+1, 0, Keys)
}

// update takes one step of the optimiser with the current gradients.
func (n *Network) update(adam *AdamStep) {
	if n.Adam {
		adam.Advance(n.Rate)
	}
	for _, w := range n.trainable {
		rate := n.Rate
		if !w.isQueryKey {
			rate = n.OtherRate
		}
		if n.Adam {
			Adam(w.Matrix, w.m, w.v, adam.WithRate(rate))
		} else {
			Descend(w.Matrix, rate)
		}
	}
}

func (n *Network) trainableMatrices() (matrices []*Matrix) {
	for _, w := range n.trainable {
		matrices = append(matrices, w.Matrix)
	}
	return matrices
}
