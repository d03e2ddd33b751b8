package stream

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// Keys that people count upwards, seeds, cells and blocks, must give first
// words that have nothing to do with each other. Each of the functions below
// goes through such keys.
var firsts = map[string]func(n uint64) Lanes{
	"seeds": func(n uint64) (l Lanes) {
		Open(Key{Seed: n, Cell: "variance/normal/d_k=64"}).Block(&l, 0)
		return l
	},
	"high bits of seeds": func(n uint64) (l Lanes) {
		Open(Key{Seed: n << 32, Cell: "variance/normal/d_k=64"}).Block(&l, 0)
		return l
	},
	"cells": func(n uint64) (l Lanes) {
		Open(Key{Seed: 1, Cell: fmt.Sprintf("variance/normal/d_k=%d", n)}).Block(&l, 0)
		return l
	},
	"attempts": func(n uint64) (l Lanes) {
		Open(Key{Seed: 1, Cell: "variance/normal/d_k=64", Attempt: n}).Block(&l, 0)
		return l
	},
	"blocks": func(n uint64) (l Lanes) {
		Open(Key{Seed: 1, Cell: "variance/normal/d_k=64"}).Block(&l, n)
		return l
	},
}

const (
	lastKeys = 16 // how many keys back words are compared
	slots    = 1 << 8
)

// firstWords holds counts over the first words of successive keys.
type firstWords struct {
	n         float64
	ones      [Width][32]float64               // bits that are 1
	changes   [lastKeys][Width][32]float64     // bits that differ from the key so many before
	slots     [2][Width][slots]float64         // values of the high and the low byte
	back      [lastKeys][Width]float64         // products with the word so many keys before
	lanePairs [Width * (Width - 1) / 2]float64 // products of two lanes' words
	previous  [lastKeys][Width]uint32
}

// uniform is the word as a number of mean 0 and variance 1.
func uniform(word uint32) float64 { return (float64(word) - (1<<31 - 0.5)) / (1 << 31) * math.Sqrt(3) }

func (f *firstWords) add(words *[Width]uint32) {
	var x [Width]float64
	pair := 0
	for i, word := range words {
		x[i] = uniform(word)
		countBits(&f.ones[i], word)
		f.slots[0][i][word>>24]++
		f.slots[1][i][word&0xff]++
		for j := range i {
			f.lanePairs[pair] += x[i] * x[j]
			pair++
		}
	}
	if f.n >= lastKeys {
		for back := range lastKeys {
			before := &f.previous[(int(f.n)-1-back)%lastKeys]
			for i, word := range words {
				countBits(&f.changes[back][i], word^before[i])
				f.back[back][i] += x[i] * uniform(before[i])
			}
		}
	}
	f.previous[int(f.n)%lastKeys] = *words
	f.n++
}

func countBits(counts *[32]float64, word uint32) {
	for bit := range counts {
		counts[bit] += float64(word >> bit & 1)
	}
}

// TestFirstWords: the first word of every lane over successive keys has fair
// bits and bytes, changes every bit half of the time from key to key, and is
// correlated neither with those of the 16 keys before nor among the lanes.
// The chance that any of all these fails though all is well is 1e-4 at most.
func TestFirstWords(t *testing.T) {
	const (
		bitTests  = Width * 32 * (1 + lastKeys)
		slotTests = 2 * Width
		sums      = lastKeys*Width + Width*(Width-1)/2
	)
	chance := 1e-4 / float64(len(firsts)*(bitTests+slotTests+sums))
	limit := distuv.UnitNormal.Quantile(1 - chance/2)
	for name, at := range firsts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var f firstWords
			var words [Width]uint32
			for n := range uint64(firstKeys) {
				l := at(n)
				l.Next(&words)
				f.add(&words)
			}
			f.check(t, limit, chance)
		})
	}
}

func (f *firstWords) check(t *testing.T, limit, chance float64) {
	pairs := f.n - lastKeys
	coin := func(count, n float64) float64 { return (2*count - n) / math.Sqrt(n) }
	worst := func(what string, values func(see func(z float64))) {
		largest := 0.0
		values(func(z float64) {
			if !(math.Abs(z) <= math.Abs(largest)) {
				largest = z
			}
		})
		t.Logf("%s: the largest is off by %+.2f standard errors", what, largest)
		if !(math.Abs(largest) <= limit) {
			t.Errorf("%s: off by %.2f standard errors; limit %.2f", what, largest, limit)
		}
	}
	worst("bits", func(see func(float64)) {
		for i := range f.ones {
			for _, count := range f.ones[i] {
				see(coin(count, f.n))
			}
		}
	})
	worst("changes of bits", func(see func(float64)) {
		for back := range f.changes {
			for i := range f.changes[back] {
				for _, count := range f.changes[back][i] {
					see(coin(count, pairs))
				}
			}
		}
	})
	worst("correlations with keys before", func(see func(float64)) {
		for back := range f.back {
			for _, sum := range f.back[back] {
				see(sum / math.Sqrt(pairs))
			}
		}
	})
	worst("correlations of lanes", func(see func(float64)) {
		for _, sum := range f.lanePairs {
			see(sum / math.Sqrt(f.n))
		}
	})
	f.checkBytes(t, chance)
}

// checkBytes is Pearson's test that all bytes are equally frequent.
func (f *firstWords) checkBytes(t *testing.T, chance float64) {
	law := distuv.ChiSquared{K: slots - 1}
	least := 1.0
	for which, name := range []string{"high", "low"} {
		for i := range f.slots[which] {
			sum, want := 0.0, f.n/slots
			for _, count := range f.slots[which][i] {
				sum += (count - want) * (count - want) / want
			}
			p := law.Survival(sum)
			least = min(least, p, 1-p)
			if !(p >= chance/2 && p <= 1-chance/2) {
				t.Errorf("%s byte of lane %d: χ² = %.1f of %d degrees of freedom, p-value %.2g", name, i, sum, slots-1, p)
			}
		}
	}
	t.Logf("bytes: of %d p-values the nearest to 0 or 1 is %.2g away", 2*Width, least)
}
