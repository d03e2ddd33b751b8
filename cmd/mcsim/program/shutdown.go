package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"mcsim/sim/base/replace"
)

// Shutdown ends the program when the user interrupts it. It decides how long the program must
// go on after a signal, which exit code it returns, and what it says about the files:
//
//   - while a command replaces files ([Shutdown.Replace]), the program ends after the last one;
//   - while a command samples into a file of nodes ([Shutdown.Record]), the command ends by
//     itself, since its context is done, and saves its progress first;
//   - otherwise the program ends at once.
//
// A second signal always ends the program at once.
type Shutdown struct {
	ctx    context.Context
	cancel context.CancelFunc

	mu        sync.Mutex // held while files are replaced
	replaced  bool       // at least one file was
	recording bool       // the command ends by itself
	recorded  string     // path of the file with the saved progress; empty if there is none

	exit sync.Once
}

// NewShutdown returns a Shutdown that does not listen to signals yet.
func NewShutdown() *Shutdown {
	s := &Shutdown{}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// Context returns a context that is done after the first signal.
func (s *Shutdown) Context() context.Context { return s.ctx }

// Listen handles the signals that interrupt a program.
func (s *Shutdown) Listen() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as it is under nohup
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		<-signals
		signal.Stop(signals)
		s.cancel()
		s.mu.Lock()
		recording := s.recording
		s.mu.Unlock()
		if !recording {
			s.Exit(nil)
		}
	}()
}

// Exit ends an interrupted program and says what became of its work; err is the error of its
// command. Later calls wait for the first.
func (s *Shutdown) Exit(err error) {
	s.exit.Do(func() {
		code, text := Interrupted, s.outcome()
		if err != nil && !errors.Is(err, context.Canceled) && !errors.As(err, new(Exit)) {
			code, text = Bad, err.Error()
		}
		PrintError(os.Stderr, errors.New("interrupted; "+text))
		os.Exit(code)
	})
}

// outcome says what became of the files.
func (s *Shutdown) outcome() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.replaced:
		return "what it wrote is in its place"
	case s.recorded != "":
		return fmt.Sprintf("what was drawn is in %s; the same command, without --fresh, goes on from there", s.recorded)
	}
	return "no file was replaced"
}

// Replace calls write, which replaces files that belong together. An interrupted program starts
// no such call, and does not end during one.
func (s *Shutdown) Replace(write func() error) error {
	return s.Finish(func() error {
		err := write()
		s.replaced = s.replaced || err == nil
		return err
	})
}

// Finish calls step like [Shutdown.Replace], for files that are not a result of the command.
func (s *Shutdown) Finish(step func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	return step()
}

// ReplaceFile replaces a file by a text.
func (s *Shutdown) ReplaceFile(path string, text []byte) error {
	write := func() error { return replace.Text(path, text) }
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return write() // a pipe may block, which a signal must be able to end
	}
	return s.Replace(write)
}

// Record calls sample, which saves its progress in the file at path and returns soon after the
// context is done.
func (s *Shutdown) Record(path string, sample func(context.Context) error) error {
	s.setRecording(true, path)
	err := sample(s.ctx)
	s.setRecording(false, path)
	if err != nil {
		return err
	}
	return s.ctx.Err()
}

func (s *Shutdown) setRecording(recording bool, path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recording, s.recorded = recording, path
}
