package names

// Quantities of training.
const (
	LearningRate        = "learning_rate"
	LowestRate          = "lowest_rate"
	HighestRate         = "highest_rate"
	RateSlope           = "rate_slope"
	TuningLoss          = "tuning_loss"
	RelativeLoss        = "relative_loss"
	StepsToThreshold    = "steps_to_threshold"
	ReachedShare        = "reached_share"
	StepsRatio          = "steps_ratio"
	StepsDifference     = "steps_difference"
	LargestLogit        = "largest_logit"
	RootSurvival        = "root_gradient_survival"
	RootKeyGradient     = "root_key_gradient"
	GradientOverEpsilon = "gradient_over_epsilon"
	LearntExponent      = "learnt_exponent"
)

// Parameters of training.
const (
	ParamVariant   = "variant"
	ParamGain      = "gain"
	ParamOptimiser = "optimiser"
	ParamTrained   = "trained"
	ParamSteps     = "steps"
	ParamOctave    = "octave"
	ParamStep      = "step"
	ParamChosen    = "chosen"
)

// Their values, and what n counts.
const (
	VariantPlain      = "plain"
	VariantCopying    = "copying"
	VariantTwoLayers  = "two-layers"
	VariantNormalised = "qk-norm"
	VariantAdditive   = "additive-scores"
	VariantHalfRoot   = "half-root"
	VariantFixed      = "mup"
	OptimiserDescent  = "sgd"
	OptimiserAdam     = "adam"
	TrainedQueryKey   = "queries-keys"
	TrainedAll        = "all-weights"
	ChosenBest        = "best-rate"
	ChosenShared      = "shared-rate"
	ChosenAny         = "any-rate"
	UnitSeed          = "seed"
)

const (
	trainingSource = "mcsim, sim/training"
	acrossSource   = "mcsim, sim/experiment/training"
	overJudges     = " The value is the median over the seeds that judge."
)

// trainings are the quantities of training.
var trainings = []Entry{
	{Name: LearningRate, Title: "best rate of learning of W_Q and W_K", Unit: pure, Range: notNegative, Source: acrossSource,
		Definition: "The rate at which the mean loss over the run is least, in the median of the seeds that choose. The interval holds what each of them would choose alone."},
	{Name: LowestRate, Title: "lowest rate of learning that was tried", Unit: pure, Range: notNegative, Source: acrossSource, Definition: "The lowest rate of W_Q and W_K at which the rule was trained."},
	{Name: HighestRate, Title: "highest rate of learning that was tried", Unit: pure, Range: notNegative, Source: acrossSource, Definition: "The highest rate of W_Q and W_K at which the rule was trained."},
	{Name: RateSlope, Title: "slope of the best rate of learning on d_k", Unit: pure, Range: anyNumber, Formula: "d ln rate/d ln d_k", Source: acrossSource,
		Definition: "The power of d_k with which the best rate of W_Q and W_K goes, by least squares on logarithms. What is expected makes the first step change logits as much at every d_k, and stands only where all rates from eight octaves below the reference to eight above were tried, in 200 steps."},
	{Name: TuningLoss, Title: "mean loss over the run, by which rates are chosen", Unit: pure, Range: notNegative, Formula: "Σ loss/(steps + 1)", Source: acrossSource,
		Definition: "The mean over all steps of the loss over that of even weights. The value is the median over the seeds that choose."},
	{Name: RelativeLoss, Title: "loss over that of even weights", Unit: pure, Range: notNegative, Source: trainingSource,
		Definition: "The mean square of what is put out less what is wanted, over what that is where all weights are the same." + overJudges + " It is 1000 from where a run diverged."},
	{Name: StepsToThreshold, Title: "steps until the loss first is at most its threshold", Unit: "step", Range: notNegative, Source: trainingSource,
		Definition: "How many steps were taken when the loss, over that of even weights, first was at most 0.05, or 0.3 where all weights train. It is infinite, and left empty, where a run does not reach that." + overJudges},
	{Name: ReachedShare, Title: "share of seeds that reach the threshold", Unit: pure, Range: fraction, Source: acrossSource, Definition: "The share of the seeds that judge whose loss reaches its threshold within all steps."},
	{Name: StepsRatio, Title: "steps over those of the same seed under 1/√d_k", Unit: pure, Range: notNegative, Formula: "min(steps, T)/min(steps at p = 1/2, T)", Source: acrossSource,
		Definition: "The steps to the threshold, no more than all T of a run, over those of the same seed, data and initial weights under 1/√d_k, each at its own best rate." + overJudges},
	{Name: StepsDifference, Title: "steps less those of the same seed under 1/√d_k", Unit: "step", Range: anyNumber, Formula: "E[min(steps, T) − min(steps at p = 1/2, T)]", Source: acrossSource,
		Definition: "The steps to the threshold, no more than all T of a run, less those of the same seed, data and initial weights under 1/√d_k, each at its own best rate, as a mean over the seeds that judge, with Student's interval."},
	{Name: LargestLogit, Title: "largest logit in size", Unit: pure, Range: notNegative, Source: trainingSource, Definition: "The largest logit of all rows of a seed, in size." + overJudges},
	{Name: RootSurvival, Title: "root mean square of R over rows", Unit: pure, Range: fraction, Formula: "√E R²", Source: trainingSource, Definition: "The root of the mean square of the gradient survival R over the rows of a seed." + overJudges},
	{Name: RootKeyGradient, Title: "root mean square of the weights' gradient by the keys over rows", Unit: pure, Range: notNegative, Formula: "√E‖∂α/∂K‖_F²", Source: trainingSource, Definition: "The root of the mean square of ‖∂α/∂K‖_F over the rows of a seed." + overJudges},
	{Name: GradientOverEpsilon, Title: "first gradient over Adam's ε", Unit: pure, Range: notNegative, Source: trainingSource,
		Definition: "The root mean square of the entries of the first gradient by W_Q and W_K over the ε of Adam, which matters where it is not far above 1." + overJudges},
	{Name: LearntExponent, Title: "exponent that keeps the score of a query and the key it asks for", Unit: pure, Range: anyNumber, Formula: "1 + d ln √E cos²/d ln d_k", Source: acrossSource,
		Definition: "1 and the slope on ln d_k of the logarithm of the root mean square of the cosine between a query and the key that it asks for: 1/2 for independent ones, 1 for those that point the same way at every d_k." + overJudges},
}

// trainingParameters are those that training has first.
var trainingParameters = []Entry{
	omitted(param(ParamVariant, "what changes beside the scale", "", "plain, copying, two-layers, qk-norm, additive-scores, half-root, mup", "Each variant changes one thing."), VariantPlain, ExperimentTraining),
	omitted(param(ParamGain, "power of d_k by which initial weights are multiplied", pure, "-1..1", "Initial entries of W_Q and W_K are normal, of variance 1/D times d_k^(2·gain), with D the numbers of a token."), "0", ExperimentTraining),
	param(ParamOptimiser, "how weights are changed in a step", "", "sgd, adam", "Neither has warm-up, clipping or decay."),
	param(ParamTrained, "which weights train", "", "queries-keys, all-weights", "The others stay as they were drawn, or are left out."),
	param(ParamSteps, "steps of a run, T", "step", "10..10000", "Every step sees all sequences of a seed."),
	param(ParamOctave, "rate of learning, in octaves above the reference of the rule", pure, "-16..16", "At the reference the first step changes logits as much for every rule and every d_k, in the leading power of d_k."),
	param(ParamStep, "after how many steps", "step", "0..10000", "Before the first step it is 0."),
	param(ParamChosen, "at which rate of learning", "", "best-rate, shared-rate, any-rate", "A rule is trained at many rates."),
}

// trainingValues are those of the parameters.
var trainingValues = []Entry{
	{Name: VariantPlain, Title: "nothing but the scale", Definition: "One layer recalls the value of the token whose key it is asked for, with keys that are drawn anew for every sequence."},
	{Name: VariantCopying, Title: "keys are positions", Definition: "The keys of tokens are unit vectors, the same in every sequence, so that the token at a position is copied."},
	{Name: VariantTwoLayers, Title: "a layer before", Definition: "A layer with weights of its own adds to every token what attention makes of its sequence, before the layer that recalls."},
	{Name: VariantNormalised, Title: "queries and keys of mean square 1", Definition: "Every query and every key is divided by its root mean square before the product, which is then divided by √d_k."},
	{Name: VariantAdditive, Title: "Σ u·tanh(q + k)", Definition: "The logit is the sum over components of u·tanh(q + k), with u normal of variance 1/d_k, which does not train."},
	{Name: VariantHalfRoot, Title: "division by √(d_k/2)", Definition: "Scores are divided by the root of half of d_k."},
	{Name: VariantFixed, Title: "division by d_k/4", Definition: "Scores are multiplied by √16/d_k, as μP has it with its base at d_k = 16, where it is 1/√d_k."},
	{Name: OptimiserDescent, Title: "gradient descent", Definition: "Weights change by the rate times the gradient, without momentum."},
	{Name: OptimiserAdam, Title: "steps by the running means of gradients", Definition: "Adam with β₁ = 0.9, β₂ = 0.999 and ε = 10⁻⁸."},
	{Name: TrainedQueryKey, Title: "W_Q and W_K", Definition: "W_Q and W_K train, and what is read out are the values themselves."},
	{Name: TrainedAll, Title: "W_Q, W_K, W_V and W_O", Definition: "W_Q, W_K, W_V and W_O train, the last two at a fixed rate of their own."},
	{Name: ChosenBest, Title: "the best rate", Definition: "Each rule has the rate at which the seeds that choose have the least mean loss over the run."},
	{Name: ChosenShared, Title: "one rate for all rules", Definition: "All rules have the reference rate of 1/√d_k."},
	{Name: ChosenAny, Title: "one rate or another", Definition: "At one or more of all rates that were tried."},
	{Name: UnitSeed, Title: "a seed", Definition: "One set of tokens and initial weights, trained once."},
}
