package training

// Checkpoints is at how many equal parts of the way the loss is recorded, beside its
// beginning.
const Checkpoints = 10

// Never stands for steps to the threshold of a seed that did not reach it.
const Never = 0

// DivergedLoss is the relative loss at which a seed counts as diverged. With values of their own
// weights can be driven there; without, only numbers that are no longer finite are.
const DivergedLoss = 1000

// Record is what became of one seed.
type Record struct {
	Steps    int // updates until the loss first was at most the threshold, or Never
	Mean     float64
	Losses   [Checkpoints + 1]float64
	Diverged bool // diverged; losses are then Blown from there on
}

// Run trains all seeds of the data.
func (n *Network) Run(d *Data) []Record {
	records := make([]Record, 0, d.Seeds+Width)
	for first := 0; first < d.Seeds; first += Width {
		records = append(records, n.trainGroup(d, first)...)
	}
	return records[:d.Seeds]
}

// trainGroup trains the seeds from first on.
func (n *Network) trainGroup(d *Data, first int) []Record {
	records := make([]Record, Width)
	n.reset(d, first)
	uniformLosses, adam, matrices := n.uniformLoss(), NewAdam(n.Epsilon), n.trainableMatrices()
	for t := range n.Steps + 1 {
		n.tape.Forward()
		anyFinite := false
		for l := range records {
			records[l].observe(n.loss.V[0][l]/uniformLosses[l], t, n.Setting)
			anyFinite = anyFinite || !records[l].Diverged
		}
		if t == n.Steps {
			break
		}
		if !anyFinite {
			for l := range records {
				records[l].observeDiverged(t, n.Setting)
			}
			break
		}
		n.tape.Backward(matrices)
		n.update(adam)
	}
	for l := range records {
		records[l].Mean /= float64(n.Steps + 1)
	}
	return records
}

// reset makes the network ready for the first step of the seeds from first on.
func (n *Network) reset(d *Data, first int) {
	n.load(d, first)
	for _, w := range n.trainable {
		clear(w.m)
		clear(w.v)
	}
}

// observe takes the relative loss after so many of all updates.
func (r *Record) observe(loss float64, t int, s Setting) {
	if !(loss < DivergedLoss) {
		r.Diverged = true
	}
	if r.Diverged {
		loss = DivergedLoss
	}
	r.Mean += loss
	if r.Steps == Never && t > 0 && loss <= Threshold(s.AllWeights) {
		r.Steps = t
	}
	for c := range r.Losses {
		if t == Checkpoint(c, s.Steps) {
			r.Losses[c] = loss
		}
	}
}

// observeDiverged takes all steps behind t of a seed that diverged.
func (r *Record) observeDiverged(t int, s Setting) {
	for t++; t <= s.Steps; t++ {
		r.observe(DivergedLoss, t, s)
	}
}

// Checkpoint returns the number of updates at a checkpoint.
func Checkpoint(c, steps int) int { return c * steps / Checkpoints }

// uniformLoss returns the loss of uniform weights, by which losses are divided.
func (n *Network) uniformLoss() (loss Number) {
	for b := range Sequences {
		target := n.targets.Row(b)
		for j := range ValueSize {
			var mean Number
			for i := range Keys {
				for l, x := range n.values.Row(b*Keys + i)[j] {
					mean[l] += float64(x / Keys)
				}
			}
			for l, x := range mean {
				loss[l] += float64((x - target[j][l]) * (x - target[j][l]))
			}
		}
	}
	for l := range loss {
		loss[l] /= Sequences * ValueSize
	}
	return loss
}
