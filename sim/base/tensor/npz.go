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

// maxInflated bounds the bytes of compressed arrays that are kept in memory at once. Uncompressed
// arrays are read from the file and have no bound.
const maxInflated = 512 << 20

// addArchive adds the arrays of a .npz file: a zip archive of .npy files.
func (f *Files) addArchive(path string, file io.ReaderAt, size int64) error {
	z, err := zip.NewReader(file, size)
	if err != nil {
		return errors.New("is not a .npz file, such as np.savez of NumPy writes")
	}
	hasArrays := false
	for _, m := range z.File {
		if strings.HasSuffix(m.Name, "/data.pkl") || m.Name == "data.pkl" {
			return errors.New(pickleError)
		}
		name, ok := strings.CutSuffix(m.Name, ".npy")
		if !ok {
			continue
		}
		hasArrays = true
		load := sync.OnceValues(func() (*Array, error) { return f.openMember(file, path, name, m) })
		if err := f.addArray(name, path, load); err != nil {
			return err
		}
	}
	if !hasArrays {
		return errors.New("is an archive without arrays of NumPy (.npy), such as np.savez writes")
	}
	return nil
}

// openMember returns an array of a .npz file. It compares the size in the array's header with the
// size in the archive before it inflates the numbers.
func (f *Files) openMember(file io.ReaderAt, path, name string, m *zip.File) (*Array, error) {
	if m.Method != zip.Store && m.Method != zip.Deflate {
		return nil, errors.New("is compressed in a way that NumPy does not use")
	}
	source, err := m.Open()
	if err != nil {
		return nil, err
	}
	a, headerSize, dataSize, err := readNumPyHeader(source)
	source.Close()
	if err != nil {
		return nil, err
	}
	if m.UncompressedSize64 > 1<<62 {
		return nil, errors.New("has no size")
	}
	if err := a.checkSize(int64(m.UncompressedSize64)-headerSize, dataSize); err != nil {
		return nil, err
	}
	a.Name, a.File = name, path
	if m.Method == zip.Deflate {
		a.open = sync.OnceValues(func() (io.ReaderAt, error) { return f.inflate(m, headerSize) })
		return a, nil
	}
	a.open = sync.OnceValues(func() (io.ReaderAt, error) { return openStored(file, m, headerSize) })
	return a, nil
}

// openStored verifies the checksum of an uncompressed member and returns the member without its
// header.
func openStored(file io.ReaderAt, m *zip.File, headerSize int64) (io.ReaderAt, error) {
	start, err := m.DataOffset()
	if err != nil {
		return nil, err
	}
	sum := crc32.NewIEEE()
	section := io.NewSectionReader(file, start, int64(m.UncompressedSize64))
	n, err := io.Copy(sum, section)
	if err != nil || n != section.Size() || sum.Sum32() != m.CRC32 {
		return nil, errors.New("has a wrong checksum: save or copy the file again")
	}
	return io.NewSectionReader(file, start+headerSize, section.Size()-headerSize), nil
}

// inflate returns a compressed member without its header. It fails if the inflated members together
// exceed maxInflated.
func (f *Files) inflate(m *zip.File, headerSize int64) (io.ReaderAt, error) {
	const maxRatio = 1032 // of deflate: 258 bytes take at least two bits
	if m.UncompressedSize64/maxRatio > m.CompressedSize64 {
		return nil, errors.New("does not inflate to the size that the archive states: save or copy the file again")
	}
	f.mutex.Lock()
	f.inflated += m.UncompressedSize64
	hasRoom := f.inflated <= maxInflated
	f.mutex.Unlock()
	if !hasRoom {
		return nil, fmt.Errorf("takes %d bytes; at most %d of compressed arrays are kept: save it by np.savez, "+
			"not np.savez_compressed", m.UncompressedSize64, maxInflated)
	}
	source, err := m.Open()
	if err != nil {
		return nil, err
	}
	defer source.Close()
	content := make([]byte, m.UncompressedSize64)
	_, err = io.ReadFull(source, content)
	if err == nil {
		_, err = source.Read(make([]byte, 1)) // the end, at which the checksum is compared
	}
	if err != io.EOF {
		return nil, errors.New("does not inflate to the size that the archive states: save or copy the file again")
	}
	return bytes.NewReader(content[headerSize:]), nil
}
