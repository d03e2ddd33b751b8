package program

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// TestReplaceAfterSignal requires that an interrupted program replaces nothing more, and that it
// says what it replaced before.
func TestReplaceAfterSignal(t *testing.T) {
	s := NewShutdown()
	calls := 0
	write := func() error { calls++; return nil }
	if err := s.Finish(write); err != nil || s.outcome() != "no file was replaced" {
		t.Errorf("after a step: %v, %q", err, s.outcome())
	}
	if err := s.Replace(write); err != nil || s.outcome() != "what it wrote is in its place" {
		t.Errorf("after files are replaced: %v, %q", err, s.outcome())
	}
	s.cancel()
	if err := s.Replace(write); !errors.Is(err, context.Canceled) || calls != 2 {
		t.Errorf("after a signal: %v, and %d calls, want 2", err, calls)
	}
}

// TestRecordAfterSignal requires that an interrupted command ends with an error although its last
// samples are saved, that another error is not lost, and that the file with the progress is named.
func TestRecordAfterSignal(t *testing.T) {
	s, full := NewShutdown(), errors.New("the disk is full")
	sample := func(err error) func(context.Context) error {
		return func(context.Context) error {
			s.cancel()
			return err
		}
	}
	if err := s.Record("out/nodes.bin", sample(nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("with all samples saved: %v", err)
	}
	if err := s.Record("out/nodes.bin", sample(full)); !errors.Is(err, full) {
		t.Errorf("with another error: %v", err)
	}
	if text := s.outcome(); !strings.Contains(text, "what was drawn is in out/nodes.bin") {
		t.Errorf("it says %q", text)
	}
}
