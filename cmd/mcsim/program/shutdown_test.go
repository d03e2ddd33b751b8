package program

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// TestReplaceAfterSignal checks that an interrupted program replaces no more files, and reports
// whether it replaced files before.
func TestReplaceAfterSignal(t *testing.T) {
	s := NewShutdown()
	calls := 0
	write := func() error { calls++; return nil }
	if err := s.Finish(write); err != nil || s.describeFiles() != "no file was replaced" {
		t.Errorf("after a step: %v, %q", err, s.describeFiles())
	}
	if err := s.Replace(write); err != nil || s.describeFiles() != "its files are written" {
		t.Errorf("after files are replaced: %v, %q", err, s.describeFiles())
	}
	s.cancel()
	if err := s.Replace(write); !errors.Is(err, context.Canceled) || calls != 2 {
		t.Errorf("after a signal: %v, and %d calls, want 2", err, calls)
	}
}

// TestRecordAfterSignal checks that an interrupted command ends with an error although its last
// samples are saved, that another error is not lost, and that the message names the file with the
// progress.
func TestRecordAfterSignal(t *testing.T) {
	s, errFull := NewShutdown(), errors.New("the disk is full")
	sample := func(err error) func(context.Context) error {
		return func(context.Context) error {
			s.cancel()
			return err
		}
	}
	if err := s.Record("out/nodes.bin", sample(nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("with all samples saved: %v", err)
	}
	if err := s.Record("out/nodes.bin", sample(errFull)); !errors.Is(err, errFull) {
		t.Errorf("with another error: %v", err)
	}
	if text := s.describeFiles(); !strings.Contains(text, "the samples are saved in out/nodes.bin") {
		t.Errorf("it says %q", text)
	}
}
