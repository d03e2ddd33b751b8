package schedule

import (
	"container/heap"
	"math/rand/v2"
	"testing"

	"mcsim/sim/plan"
)

// vast is a plan of 10¹⁵ components, as docs/scaling.md has it.
const vast = `name: vast
experiments:
  - {experiment: variance, law: [normal, uniform, laplace], d_k: 2..4096, samples: 4.1e10, gate: false}
`

// machine is one of a cluster that is simulated, by when it is free.
type machine struct{ free, speed float64 }

// machines is a heap whose first is free first.
type machines []machine

func (m machines) Len() int           { return len(m) }
func (m machines) Less(i, j int) bool { return m[i].free < m[j].free }
func (m machines) Swap(i, j int)      { m[i], m[j] = m[j], m[i] }
func (m *machines) Push(x any)        { *m = append(*m, x.(machine)) }
func (m *machines) Pop() any          { panic("none is taken away") }

// spread draws shares on machines of different speeds, each on the first that is free. Of one
// in lost the node goes away at some moment, and the rest is queued again at the end. It
// returns when the last has ended, beside when all machines would have together, had the
// work no parts.
func spread(costs []float64, count int, lost float64, r *rand.Rand) (last, ideal float64) {
	all, speed := 0.0, 0.0
	m := make(machines, count)
	for i := range m {
		m[i].speed = 0.8 + 0.4*r.Float64()
		speed += m[i].speed
	}
	queue := append([]float64(nil), costs...)
	for len(queue) > 0 {
		cost := queue[0]
		queue = queue[1:]
		if r.Float64() < lost {
			done := cost * r.Float64()
			cost, queue = done, append(queue, cost-done)
		}
		all += cost
		m[0].free += cost / m[0].speed
		last = max(last, m[0].free)
		heap.Fix(&m, 0)
	}
	return last, all / speed
}

// A plan of 10¹⁵ components is cut into equal shares, and drawn by 200 machines of different
// speeds, some of which go away, in little more time than the work would take if it had no
// parts: less the more shares there are.
func TestVastPlan(t *testing.T) {
	p, err := plan.Parse("vast", []byte(vast))
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	if c := s.Components(); c < 0.95e15 || c > 1.05e15 {
		t.Errorf("the plan has %g components", c)
	}
	if most, _ := s.MostShares(); most < 20_000 {
		t.Errorf("at most %d shares cost the same", most)
	}
	const cluster = 200
	for _, c := range []struct {
		shares int
		over   float64 // at most, beside the ideal
	}{{200, 0.45}, {2000, 0.20}, {20_000, 0.025}} {
		costs := make([]float64, c.shares)
		for i, part := range s.Shares(c.shares) {
			for _, w := range s.Only(part).Works {
				costs[i] += w.Components()
			}
			if mean := s.Components() / float64(c.shares); costs[i] < 0.9*mean || costs[i] > 1.1*mean {
				t.Fatalf("share %d of %d costs %g, the mean %g", i, c.shares, costs[i], mean)
			}
		}
		last, ideal := spread(costs, cluster, 0.01, rand.New(rand.NewPCG(1, uint64(c.shares))))
		t.Logf("%d shares on %d machines: %.3f of the ideal", c.shares, cluster, last/ideal)
		if last < ideal || last > ideal*(1+c.over) {
			t.Errorf("%d shares take %.3f of the ideal time", c.shares, last/ideal)
		}
	}
}
