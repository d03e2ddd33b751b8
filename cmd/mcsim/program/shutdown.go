package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"mcsim/sim/base/replace"
)

// Shutdown ends the program after a signal, and prints the state of its files. When the program
// ends depends on the command:
//
//   - while a command replaces files ([Shutdown.Replace]), the program ends after the last one;
//   - while a command samples into a file of nodes ([Shutdown.Record]), its context is done after the
//     signal; the command then saves its progress and ends;
//   - otherwise the program ends at once.
//
// A second signal always ends the program at once.
type Shutdown struct {
	ctx    context.Context
	cancel context.CancelFunc

	mu           sync.Mutex // held while files are replaced
	hasReplaced  bool       // at least one file was replaced
	isRecording  bool       // the command ends by itself when the context is done
	progressPath string     // path of the file with the saved progress; empty if there is none
	unsaved      string     // printed if no file was replaced; empty for the usual text

	exitOnce sync.Once
}

// NewShutdown returns a Shutdown that does not listen to signals yet.
func NewShutdown() *Shutdown {
	s := &Shutdown{}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// Context returns a context that is done after the first signal.
func (s *Shutdown) Context() context.Context { return s.ctx }

// Listen starts to handle the signals that interrupt a program.
func (s *Shutdown) Listen() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	const hangup = syscall.Signal(1) // SIGHUP, which package syscall does not name for browsers
	if !signal.Ignored(hangup) {     // a program under nohup must ignore it
		signal.Notify(signals, hangup)
	}
	go func() {
		<-signals
		signal.Stop(signals)
		s.cancel()
		s.mu.Lock()
		isRecording := s.isRecording
		s.mu.Unlock()
		if !isRecording {
			s.Exit(nil)
		}
	}()
}

// Exit prints the state of the files of an interrupted program and ends it. err is the error of its
// command, or nil. A second call does not return before the first one ends the program.
func (s *Shutdown) Exit(err error) {
	s.exitOnce.Do(func() {
		code, text := Interrupted, s.describeFiles()
		if err != nil && !errors.Is(err, context.Canceled) && !errors.As(err, new(Exit)) {
			code, text = BadInput, err.Error()
		}
		PrintError(os.Stderr, errors.New("interrupted; "+text))
		os.Exit(code)
	})
}

// describeFiles says which files an interrupted program has written.
func (s *Shutdown) describeFiles() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.hasReplaced:
		return "its files are written"
	case s.progressPath != "":
		return fmt.Sprintf("the samples are saved in %s; the same command without --fresh continues from there",
			s.progressPath)
	}
	return cmp.Or(s.unsaved, "no file was replaced")
}

// SetUnsaved sets what an interrupted command that replaces no file prints.
func (s *Shutdown) SetUnsaved(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unsaved = text
}

// Replace calls write, which replaces files that belong together. After a signal it does not call
// write; a signal during the call takes effect after it.
func (s *Shutdown) Replace(write func() error) error {
	return s.Finish(func() error {
		err := write()
		s.hasReplaced = s.hasReplaced || err == nil
		return err
	})
}

// Finish calls step like [Shutdown.Replace], but does not record that files were replaced. It is
// for steps that must not be interrupted and that do not write results.
func (s *Shutdown) Finish(step func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	return step()
}

// ReplaceFile replaces the content of a file.
func (s *Shutdown) ReplaceFile(path string, text []byte) error {
	write := func() error { return replace.Text(path, text) }
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return write() // the write to a pipe may block, and a signal must be able to end the program then
	}
	return s.Replace(write)
}

// Record calls sample. Soon after its context is done, sample must save its progress in the file at
// path and return.
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
	s.isRecording, s.progressPath = recording, path
}
