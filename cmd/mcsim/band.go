package main

import (
	"fmt"
	"strings"

	"mcsim/sim/experiment"
)

// band is what --gate asks for: two ends from 0 on, the lower one first.
type band struct {
	text   string
	lo, hi float64
}

func (b *band) Type() string   { return "LO..HI" }
func (b *band) String() string { return b.text }

// asked reports whether there is one.
func (b *band) asked() bool { return b.hi > 0 }

// Set reads the ends.
func (b *band) Set(text string) (err error) {
	low, high, two := strings.Cut(text, "..")
	if !two {
		return fmt.Errorf("%q is no band LO..HI, such as 0.2..3", text)
	}
	b.text = text
	if b.lo, err = experiment.Number(low); err == nil {
		b.hi, err = experiment.Number(high)
	}
	if err == nil && (b.lo < 0 || b.lo >= b.hi) {
		err = fmt.Errorf("%q is no band: it needs 0 ≤ LO < HI", text)
	}
	return err
}
