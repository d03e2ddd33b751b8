package flag

import (
	"fmt"
	"strings"

	"mcsim/sim/experiment"
)

// Band is what --gate asks for: two ends from 0 on, the lower one first.
type Band struct {
	text   string
	Lo, Hi float64
}

// Type is the name of what it takes.
func (b *Band) Type() string { return "LO..HI" }

// String is what was typed.
func (b *Band) String() string { return b.text }

// Asked reports whether there is one.
func (b *Band) Asked() bool { return b.Hi > 0 }

// Set reads the ends.
func (b *Band) Set(text string) (err error) {
	low, high, two := strings.Cut(text, "..")
	if !two {
		return fmt.Errorf("%q is no band LO..HI, such as 0.2..3", text)
	}
	b.text = text
	if b.Lo, err = experiment.Number(low); err == nil {
		b.Hi, err = experiment.Number(high)
	}
	if err == nil && (b.Lo < 0 || b.Lo >= b.Hi) {
		err = fmt.Errorf("%q is no band: it needs 0 ≤ LO < HI", text)
	}
	return err
}
