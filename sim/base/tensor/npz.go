package tensor

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"sync"
)

// maxInflated is how many bytes of compressed arrays are kept at once; an array that is stored
// as it is has no bound.
const maxInflated = 512 << 20

// archive adds the arrays of a .npz file: a zip archive of .npy files.
func (f *Files) archive(path string, file io.ReaderAt, size int64) error {
	z, err := zip.NewReader(file, size)
	if err != nil {
		return errors.New("is not a .npz file, such as np.savez of NumPy writes")
	}
	found := false
	for _, m := range z.File {
		if strings.HasSuffix(m.Name, "/data.pkl") || m.Name == "data.pkl" {
			return errors.New(pickles)
		}
		name, ok := strings.CutSuffix(m.Name, ".npy")
		if !ok {
			continue
		}
		found = true
		find := sync.OnceValues(func() (*Array, error) { return f.member(file, path, name, m) })
		if err := f.put(name, path, find); err != nil {
			return err
		}
	}
	if !found {
		return errors.New("holds no arrays of NumPy (.npy), though it is an archive; np.savez writes what is read here")
	}
	return nil
}

// member returns an array of a .npz file. What it declares is compared with what the archive says
// before anything is inflated.
func (f *Files) member(file io.ReaderAt, path, name string, m *zip.File) (*Array, error) {
	if m.Method != zip.Store && m.Method != zip.Deflate {
		return nil, errors.New("is compressed in a way that NumPy does not use")
	}
	in, err := m.Open()
	if err != nil {
		return nil, err
	}
	a, data, bytes, err := numpyHeader(in)
	in.Close()
	if err != nil {
		return nil, err
	}
	if m.UncompressedSize64 > 1<<62 {
		return nil, errors.New("has no size")
	}
	if err := a.fits(int64(m.UncompressedSize64)-data, bytes); err != nil {
		return nil, err
	}
	a.Name, a.File = name, path
	if m.Method == zip.Deflate {
		a.open = sync.OnceValues(func() (io.ReaderAt, error) { return f.inflate(m, data) })
		return a, nil
	}
	a.open = sync.OnceValues(func() (io.ReaderAt, error) { return stored(file, m, data) })
	return a, nil
}

// stored returns a member that is not compressed, if its checksum is right.
func stored(file io.ReaderAt, m *zip.File, data int64) (io.ReaderAt, error) {
	start, err := m.DataOffset()
	if err != nil {
		return nil, err
	}
	sum := crc32.NewIEEE()
	whole := io.NewSectionReader(file, start, int64(m.UncompressedSize64))
	if n, err := io.Copy(sum, whole); err != nil || n != whole.Size() || sum.Sum32() != m.CRC32 {
		return nil, errors.New("is damaged: its checksum is wrong")
	}
	return io.NewSectionReader(file, start+data, whole.Size()-data), nil
}

// inflate returns a member without its header, if there is room for it.
func (f *Files) inflate(m *zip.File, data int64) (io.ReaderAt, error) {
	f.mutex.Lock()
	f.inflated += m.UncompressedSize64
	room := f.inflated <= maxInflated
	f.mutex.Unlock()
	if !room {
		return nil, fmt.Errorf("takes %d bytes; at most %d of compressed arrays are kept: save it by np.savez, "+
			"not np.savez_compressed", m.UncompressedSize64, maxInflated)
	}
	in, err := m.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	all := bytes.NewBuffer(make([]byte, 0, min(m.UncompressedSize64, 1<<20))) // no more than there is
	if n, err := io.Copy(all, io.LimitReader(in, int64(m.UncompressedSize64)+1)); err != nil ||
		uint64(n) != m.UncompressedSize64 {
		return nil, errors.New("is damaged: it does not inflate to what the archive says")
	}
	return bytes.NewReader(all.Bytes()[data:]), nil
}
