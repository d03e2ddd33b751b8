package program

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// TestReplaceAfterSignal checks that a program replaces no files after a signal, and that its
// message says whether it replaced files before.
func TestReplaceAfterSignal(t *testing.T) {
	s := NewShutdown()
	calls := 0
	write := func() error { calls++; return nil }
	checkMessage := func(want string) {
		t.Helper()
		if got := s.describeFiles(); got != want {
			t.Errorf("the message is %q, want %q", got, want)
		}
	}
	if err := s.Finish(write); err != nil {
		t.Errorf("Finish before the signal: %v", err)
	}
	checkMessage("no file was replaced")
	if err := s.Replace(write); err != nil {
		t.Errorf("Replace before the signal: %v", err)
	}
	checkMessage("its files are written")
	s.cancel()
	if err := s.Replace(write); !errors.Is(err, context.Canceled) {
		t.Errorf("the error of Replace after the signal is %v, want %v", err, context.Canceled)
	}
	if calls != 2 {
		t.Errorf("write was called %d times, want 2", calls)
	}
}

// TestRecordAfterSignal checks the error of a command that a signal interrupts while it samples:
// the error of the sampling, or context.Canceled if all samples were saved. The message must name
// the file with the progress.
func TestRecordAfterSignal(t *testing.T) {
	s, errFull := NewShutdown(), errors.New("the disk is full")
	sample := func(err error) func(context.Context) error {
		return func(context.Context) error {
			s.cancel()
			return err
		}
	}
	if err := s.Record("out/nodes.bin", sample(nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("if all samples are saved, the error is %v, want %v", err, context.Canceled)
	}
	if err := s.Record("out/nodes.bin", sample(errFull)); !errors.Is(err, errFull) {
		t.Errorf("if sampling fails, the error is %v, want %v", err, errFull)
	}
	if text, want := s.describeFiles(), "the samples are saved in out/nodes.bin"; !strings.Contains(text, want) {
		t.Errorf("the message is %q, want one with %q", text, want)
	}
}
