package flag

import "golang.org/x/sys/unix"

// closed reports whether the standard output was closed as the program began: Go's runtime then
// puts /dev/null in its place, for reading and writing. What some programs give on purpose, such as
// Python's subprocess.DEVNULL, looks the same.
func closed() bool {
	var s unix.Stat_t
	flags, err := unix.FcntlInt(1, unix.F_GETFL, 0)
	return err == nil && unix.Fstat(1, &s) == nil && s.Rdev == unix.Mkdev(1, 3) && flags&unix.O_ACCMODE == unix.O_RDWR
}
