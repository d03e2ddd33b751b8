package training

// Network is the model of a setting, with memory for Width seeds.
type Network struct {
	Setting
	tape Tape

	// Data.
	tokens    *Matrix // tokens, one per row, sequence by sequence
	values    *Matrix // values of the tokens
	questions *Matrix // questions, one per row
	targets   *Matrix
	sequence  *Matrix // for two layers: the tokens and then the question of each sequence

	// Weights.
	queryWeights, keyWeights           *Matrix // W_Q and W_K
	firstQueryWeights, firstKeyWeights *Matrix // W_Q and W_K of the first of two layers
	valueWeights, outputWeights        *Matrix // W_V and W_O
	additiveWeights                    *Matrix // u of additive scores, which does not train

	// Results of operations.
	lastQuestions, lastTokens *Matrix // input of the last layer
	loss                      *Matrix

	trainable []trainableMatrix
}

// trainableMatrix is a matrix that trains, with the moving averages of Adam.
type trainableMatrix struct {
	*Matrix
	isQueryKey bool     // trains at the rate of W_Q and W_K
	m, v       []Number // averages of the gradient and of its square; nil without Adam
}

// New returns the network of a setting.
func New(s Setting) *Network {
	n := &Network{Setting: s,
		tokens: NewConstant(Sequences*Keys, TokenSize), values: NewConstant(Sequences*Keys, ValueSize),
		questions: NewConstant(Sequences, TokenSize), targets: NewConstant(Sequences, ValueSize),
		queryWeights: NewVariable(TokenSize, s.Dimension), keyWeights: NewVariable(TokenSize, s.Dimension),
		sequence: &Matrix{}}
	n.addTrainable(true, n.queryWeights, n.keyWeights)
	n.lastQuestions, n.lastTokens = n.questions, n.tokens
	if s.Rule.Variant == TwoLayers {
		n.addFirstLayer()
	}
	logits := n.tape.Scale(n.scores(), s.Rule.Scale(s.Dimension))
	if s.Rule.Variant == SoftCap {
		logits = n.tape.SoftCap(logits, s.Rule.Cap)
	}
	weights := n.tape.Softmax(logits)
	values := n.values
	if s.AllWeights {
		n.valueWeights, n.outputWeights = NewVariable(TokenSize, ValueSize), NewVariable(ValueSize, ValueSize)
		n.addTrainable(false, n.valueWeights, n.outputWeights)
		values = n.tape.Product(n.tokens, n.valueWeights)
	}
	output := n.tape.WeightedSum(Sequences, weights, values)
	if s.AllWeights {
		output = n.tape.Product(output, n.outputWeights)
	}
	n.loss = n.tape.MeanSquaredError(output, n.targets)
	return n
}

func (n *Network) addTrainable(isQueryKey bool, weights ...*Matrix) {
	for _, w := range weights {
		t := trainableMatrix{Matrix: w, isQueryKey: isQueryKey}
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
		return t.Scores(Sequences, t.Normalise(t.Product(n.lastQuestions, n.queryWeights)),
			t.Normalise(t.Product(n.lastTokens, n.keyWeights)))
	case Additive:
		n.additiveWeights = NewConstant(1, n.Dimension)
		return t.AdditiveScores(Sequences, t.Product(n.lastQuestions, n.queryWeights),
			t.Product(n.lastTokens, n.keyWeights),
			n.additiveWeights)
	}
	return t.Scores(Sequences, t.Product(n.lastQuestions, t.ProductTransposed(n.queryWeights, n.keyWeights)),
		n.lastTokens)
}

// addFirstLayer adds a layer whose output over the sequence of a token is added to the token.
func (n *Network) addFirstLayer() {
	t := &n.tape
	n.sequence = NewConstant(Sequences*(Keys+1), TokenSize)
	n.firstQueryWeights, n.firstKeyWeights = NewVariable(TokenSize, n.Dimension), NewVariable(TokenSize, n.Dimension)
	n.addTrainable(true, n.firstQueryWeights, n.firstKeyWeights)
	scores := t.Scores(Sequences, t.Product(n.sequence, t.ProductTransposed(n.firstQueryWeights, n.firstKeyWeights)),
		n.sequence)
	weights := t.Softmax(t.Scale(scores, n.Rule.Scale(n.Dimension)))
	residual := t.Add(n.sequence, t.WeightedSum(Sequences, weights, n.sequence))
	n.lastQuestions, n.lastTokens = t.SelectRows(residual, Keys+1, Keys, 1), t.SelectRows(residual, Keys+1, 0, Keys)
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
			UpdateByAdam(w.Matrix, w.m, w.v, adam.WithRate(rate))
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
