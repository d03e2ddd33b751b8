package checkpoint

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"sync"
	"unsafe"
)

// A state is the memory of variables: numbers, and arrays and structs of them, as they lie
// there; slices with their length before them; what pointers lead to. Functions and texts are
// no part of it, since a computation does not change them.

// appendValue appends the state of a variable.
func appendValue(b []byte, v reflect.Value) []byte {
	switch shape := shapeOf(v.Type()); {
	case shape == flat:
		return append(b, memory(v)...)
	case shape == constant:
		return b
	}
	switch v.Kind() {
	case reflect.Slice:
		b = binary.LittleEndian.AppendUint64(b, uint64(v.Len()))
		if shapeOf(v.Type().Elem()) == flat {
			return append(b, elements(v)...)
		}
		for i := range v.Len() {
			b = appendValue(b, v.Index(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			b = appendValue(b, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			b = appendValue(b, field(v, i))
		}
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, 0)
		}
		b = appendValue(append(b, 1), v.Elem())
	}
	return b
}

// readValue gives a variable the state that b begins with, and returns what follows it.
// It writes nothing that is the same already, so that what several computations read, and
// none changes, may be part of their states.
func readValue(b []byte, v reflect.Value) []byte {
	switch shape := shapeOf(v.Type()); {
	case shape == flat:
		return readMemory(b, memory(v))
	case shape == constant:
		return b
	}
	switch v.Kind() {
	case reflect.Slice:
		if len(b) < lengthSize {
			panic(Mismatch{})
		}
		n := binary.LittleEndian.Uint64(b)
		b = b[lengthSize:]
		if n > uint64(len(b)) && v.Type().Elem().Size() > 0 {
			panic(Mismatch{})
		}
		resize(v, int(n))
		if shapeOf(v.Type().Elem()) == flat {
			return readMemory(b, elements(v))
		}
		for i := range v.Len() {
			b = readValue(b, v.Index(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			b = readValue(b, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			b = readValue(b, field(v, i))
		}
	case reflect.Pointer:
		if len(b) == 0 {
			panic(Mismatch{})
		}
		there := b[0] == 1
		b = b[1:]
		switch {
		case there && v.IsNil():
			v.Set(reflect.New(v.Type().Elem()))
		case !there && !v.IsNil():
			v.SetZero()
		}
		if there {
			return readValue(b, v.Elem())
		}
	}
	return b
}

// resize gives a slice a length, in its place where there is room.
func resize(v reflect.Value, n int) {
	switch {
	case v.Len() == n:
	case v.Cap() >= n:
		v.SetLen(n)
	default:
		larger := reflect.MakeSlice(v.Type(), n, n)
		reflect.Copy(larger, v)
		v.Set(larger)
	}
}

// readMemory writes to memory what b begins with, and returns what follows it.
func readMemory(b, to []byte) []byte {
	if len(to) > len(b) {
		panic(Mismatch{})
	}
	if of := b[:len(to)]; !bytes.Equal(to, of) {
		copy(to, of)
	}
	return b[len(to):]
}

// memory is that of a flat variable.
func memory(v reflect.Value) []byte {
	return unsafe.Slice((*byte)(v.Addr().UnsafePointer()), v.Type().Size())
}

// elements is the memory of a slice of what is flat.
func elements(v reflect.Value) []byte {
	return unsafe.Slice((*byte)(v.UnsafePointer()), uintptr(v.Len())*v.Type().Elem().Size())
}

// field is a field of a struct, which may be written although other packages cannot name it.
func field(v reflect.Value, i int) reflect.Value {
	f := v.Field(i)
	return reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
}

// shape is how variables of a type are kept.
type shape int

const (
	flat     shape = iota + 1 // as they lie in memory
	constant                  // not at all
	deep                      // part by part
)

// shapes are those of types that were asked for.
var shapes sync.Map

// shapeOf is the shape of a type.
func shapeOf(t reflect.Type) shape {
	if known, ok := shapes.Load(t); ok {
		return known.(shape)
	}
	found := deep
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		found = flat
	case reflect.Func, reflect.String:
		found = constant
	case reflect.Array:
		if of := shapeOf(t.Elem()); of != deep {
			found = of
		}
	case reflect.Struct:
		if isFlat(t) {
			found = flat
		}
	case reflect.Slice, reflect.Pointer:
	default:
		panic(fmt.Sprintf("checkpoint: a %v cannot be kept", t))
	}
	shapes.Store(t, found)
	return found
}

// isFlat reports whether all fields of a struct are flat.
func isFlat(t reflect.Type) bool {
	for i := range t.NumField() {
		if shapeOf(t.Field(i).Type) != flat {
			return false
		}
	}
	return true
}
