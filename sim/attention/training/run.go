package training

// Checkpoints is the number of equal parts of training. The loss is recorded at the start and after
// each part.
const Checkpoints = 10

// Never is the value of Record.Steps if the seed did not reach the threshold.
const Never = 0

// DivergedLoss is the relative loss from which on a seed counts as diverged. A seed whose loss is
// not a number counts as diverged, too.
const DivergedLoss = 1000

// Record is the result of training one seed.
type Record struct {
	Steps    int                      // number of updates until the loss first was at most the threshold, or Never
	Mean     float64                  // mean relative loss over all steps
	Losses   [Checkpoints + 1]float64 // relative losses
	Diverged bool                     // from the divergence on, losses are DivergedLoss
}

// Run trains all seeds of the data.
func (n *Network) Run(d *Data) []Record {
	records := make([]Record, 0, d.Seeds+Width)
	for first := 0; first < d.Seeds; first += Width {
		records = append(records, n.trainGroup(d, first)...)
	}
	return records[:d.Seeds]
}

// trainGroup trains the Width seeds from first on.
func (n *Network) trainGroup(d *Data, first int) []Record {
	records := make([]Record, Width)
	n.reset(d, first)
	uniformLosses, adam, matrices := n.uniformLoss(), NewAdam(n.Epsilon), n.trainableMatrices()
	for t := range n.Steps + 1 {
		n.tape.Forward()
		allDiverged := true
		for l := range records {
			records[l].observe(n.loss.V[0][l]/uniformLosses[l], t, n.Setting)
			allDiverged = allDiverged && records[l].Diverged
		}
		if t == n.Steps {
			break
		}
		if allDiverged {
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

// reset sets the network to its state before the first step, for the seeds from first on.
func (n *Network) reset(d *Data, first int) {
	n.load(d, first)
	for _, w := range n.trainable {
		clear(w.m)
		clear(w.v)
	}
}

// observe adds the relative loss after t updates to the record.
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

// observeDiverged adds the losses of all steps after t to the record of a seed that diverged.
func (r *Record) observeDiverged(t int, s Setting) {
	for t++; t <= s.Steps; t++ {
		r.observe(DivergedLoss, t, s)
	}
}

// Checkpoint returns the number of updates before checkpoint c of a training with the given steps.
func Checkpoint(c, steps int) int { return c * steps / Checkpoints }

// uniformLoss returns the loss of uniform attention weights, to which losses are relative.
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
