//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package store

import (
	"errors"
	"os"
)

// release removes the lock's file.
func (l *lock) release() error { return errors.Join(l.Close(), os.Remove(l.Name())) }

// tryLock locks nothing. Such systems have only one process, as a browser has, or do not have locks
// that end with their process.
func tryLock(*os.File) (bool, error) { return true, nil }
