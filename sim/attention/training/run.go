package training

// Checkpoints is at how many equal parts of the way the loss is recorded, beside its
// beginning.
const Checkpoints = 10

// Never stands for steps to the threshold of a seed that did not reach it.
const Never = 0

// Blown is the relative loss at which a seed counts as diverged. With values of their own
// weights can be driven there; without, only numbers that are no longer finite are.
const Blown = 1000

// Record is what became of one seed.
type Record struct {
	Steps  int // updates until the loss first was at most the threshold, or Never
	Mean   float64
	Losses [Checkpoints + 1]float64
	Blown  bool // diverged; losses are then Blown from there on
}

// Run trains all seeds of the data.
func (n *Network) Run(d *Data) []Record {
	records := make([]Record, 0, d.Seeds+Width)
	for first := 0; first < d.Seeds; first += Width {
		records = append(records, n.group(d, first)...)
	}
	return records[:d.Seeds]
}

// group trains the seeds from first on.
func (n *Network) group(d *Data, first int) []Record {
	records := make([]Record, Width)
	n.begin(d, first)
	even, adam, all := n.even(), NewAdam(n.Epsilon), n.matrices()
	for t := range n.Steps + 1 {
		n.tape.Forward()
		alive := false
		for l := range records {
			records[l].see(n.loss.V[0][l]/even[l], t, n.Setting)
			alive = alive || !records[l].Blown
		}
		if t == n.Steps {
			break
		}
		if !alive {
			for l := range records {
				records[l].rest(t, n.Setting)
			}
			break
		}
		n.tape.Backward(all)
		n.step(adam)
	}
	for l := range records {
		records[l].Mean /= float64(n.Steps + 1)
	}
	return records
}

// begin makes the network ready for the first step of the seeds from first on.
func (n *Network) begin(d *Data, first int) {
	n.load(d, first)
	for _, w := range n.train {
		clear(w.m)
		clear(w.v)
	}
}

// see takes the relative loss after so many of all updates.
func (r *Record) see(loss float64, t int, s Setting) {
	if !(loss < Blown) {
		r.Blown = true
	}
	if r.Blown {
		loss = Blown
	}
	r.Mean += loss
	if r.Steps == Never && t > 0 && loss <= Threshold(s.All) {
		r.Steps = t
	}
	for c := range r.Losses {
		if t == Checkpoint(c, s.Steps) {
			r.Losses[c] = loss
		}
	}
}

// rest takes all steps behind t of a seed that diverged.
func (r *Record) rest(t int, s Setting) {
	for t++; t <= s.Steps; t++ {
		r.see(Blown, t, s)
	}
}

// Checkpoint returns the number of updates at a checkpoint.
func Checkpoint(c, steps int) int { return c * steps / Checkpoints }

// even returns the loss of uniform weights, by which losses are divided.
func (n *Network) even() (loss Number) {
	for b := range Sequences {
		wanted := n.wanted.Row(b)
		for j := range Values {
			var mean Number
			for i := range Keys {
				for l, x := range n.values.Row(b*Keys + i)[j] {
					mean[l] += float64(x / Keys)
				}
			}
			for l, x := range mean {
				loss[l] += float64((x - wanted[j][l]) * (x - wanted[j][l]))
			}
		}
	}
	for l := range loss {
		loss[l] /= Sequences * Values
	}
	return loss
}
