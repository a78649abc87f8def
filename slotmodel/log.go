package slotmodel

import (
	"bufio"
	"io"
	"math"
	"strconv"

	"github.com/schedmath/schedmath"
)

// log counts events, and takes their hash when that is asked for.
type log struct {
	on    bool // somebody listens
	hash  uint64
	count int64
}

const (
	hashBasis = 0xcbf29ce484222325
	hashPrime = 0x100000001b3
)

// take adds an event to the hash: FNV-1a over 64-bit words, with the upper half folded in so that
// all bits of a word matter.
func (l *log) take(e *Event) {
	h := l.hash
	mix := func(w uint64) {
		h ^= w
		h *= hashPrime
		h ^= h >> 32
	}
	mix(math.Float64bits(e.Time))
	mix(math.Float64bits(e.Value))
	mix(uint64(uint32(e.Job))<<32 | uint64(uint32(e.Task)))
	mix(uint64(uint32(e.Attempt))<<32 | uint64(uint32(e.Node)))
	mix(uint64(e.Type)<<8 | uint64(e.Kind))
	l.hash = h
}

// LogWriter writes events as lines of tab-separated text: time, type, job, kind, task, attempt,
// node, value, after one header row. What an event does not set is "-", a value 0. Its Log method
// is for Options.Log; call Flush at the end.
type LogWriter struct {
	w      *bufio.Writer
	line   []byte
	err    error
	headed bool
}

// NewLogWriter returns a writer to w. If w is nil, Log writes nothing and Flush reports it.
func NewLogWriter(w io.Writer) *LogWriter {
	if w == nil {
		return new(LogWriter)
	}
	return &LogWriter{w: bufio.NewWriterSize(w, 1<<16)}
}

// Log writes one event. It allocates nothing. Flush returns the first error of the writer.
func (l *LogWriter) Log(e Event) {
	if l.w == nil || l.err != nil {
		return
	}
	b := l.line[:0]
	if !l.headed {
		l.headed = true
		b = append(b, "time\ttype\tjob\tkind\ttask\tattempt\tnode\tvalue\n"...)
	}
	handle := func(i int32) {
		b = append(b, '\t')
		if i == None {
			b = append(b, '-')
			return
		}
		b = strconv.AppendInt(b, int64(i), 10)
	}
	b = strconv.AppendFloat(b, e.Time, 'g', -1, 64)
	b = append(b, '\t')
	b = append(b, e.Type.String()...)
	handle(int32(e.Job))
	b = append(b, '\t')
	if e.Type == Ready || e.Attempt != None {
		b = append(b, e.Kind.String()...)
	} else {
		b = append(b, '-')
	}
	handle(int32(e.Task))
	handle(int32(e.Attempt))
	handle(int32(e.Node))
	b = append(b, '\t')
	b = strconv.AppendFloat(b, e.Value, 'g', -1, 64)
	b = append(b, '\n')
	l.line = b
	_, l.err = l.w.Write(b)
}

// Flush writes what is buffered, and returns the first error there was.
//
// Errors: those of the underlying writer; an *schedmath.InputError when l has none.
func (l *LogWriter) Flush() error {
	if l.w == nil {
		return &schedmath.InputError{Func: "slotmodel.LogWriter.Flush", Arg: "l", Index: -1, Reason: "has no writer, want one made by NewLogWriter of a writer"}
	}
	if l.err != nil {
		return l.err
	}
	l.err = l.w.Flush()
	return l.err
}
