package cli

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/assign"
	"github.com/picaproof/picaproof/pica/vm"
)

// inputForms are the forms of --inputs with the endings of their file names. All but the first
// are streams: they have any length, and are read, executed and written a chunk at a time.
var inputForms = []struct {
	name    string
	endings []string
}{
	{"json", nil},
	{"jsonl", []string{".jsonl", ".ndjson"}},
	{"raw", []string{".raw", ".bin", ".f32"}},
}

// streamFlags are the flags about the form of --inputs.
type streamFlags struct {
	form      string
	registers int
}

func (s *streamFlags) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.form, "inputs-format", "",
		"form of --inputs: json (a list), jsonl (an object a line) or raw (float32); default by the extension, e.g. "+
			"--inputs-format jsonl")
	f.IntVar(&s.registers, "registers", 0, "input registers of a vertex in raw inputs, from v0, e.g. --registers 3")
	closedList(cmd, "inputs-format", "json", "jsonl", "raw")
}

// choose sets the form of the named inputs and refuses flags that contradict it.
func (s *streamFlags) choose(inputs string) error {
	if inputs == "" && s.form != "" {
		return fmt.Errorf("--inputs-format: name the inputs, e.g. --inputs vertices.raw")
	}
	ending := strings.ToLower(filepath.Ext(inputs))
	names := make([]string, len(inputForms))
	for k, f := range inputForms {
		names[k] = f.name
		if s.form == "" && slices.Contains(f.endings, ending) {
			s.form = f.name
		}
	}
	if s.form == "" {
		s.form = names[0]
	}
	switch {
	case s.form == "raw" && (s.registers < 1 || s.registers > pica.NumInputs):
		return fmt.Errorf("--registers %d: raw inputs want from 1 to %d registers for each vertex", s.registers,
			pica.NumInputs)
	case s.form != "raw" && s.registers != 0:
		return fmt.Errorf("--registers is for raw inputs")
	}
	return nil
}

// streamed reports whether the inputs are a stream.
func (s *streamFlags) streamed() bool { return s.form != inputForms[0].name }

// streamVertices is the number of vertices of a stream in memory.
const streamVertices = 1 << 12

// stream is the execution of a program for the vertices of a stream.
type stream struct {
	name  string // the name of the inputs
	batch vm.Batch
	read  func(b *vm.Batch) error             // fills Rows and Count; a Count of 0 ends the stream
	run   func(b *vm.Batch) error             // executes the program
	write func(to []byte, b *vm.Batch) []byte // appends the outputs

	vertices, steps, traps int
	stats                  vm.Stats // of the VM
}

// streamable refuses flags and jobs that do not go with a stream of inputs.
func (flags *runFlags) streamable(job *pica.Job) error {
	switch {
	case flags.trace || flags.breakAt >= 0 || flags.versus != "" || flags.ancestry != "":
		return fmt.Errorf("--inputs %s: a trace wants few vertices, as a JSON list", flags.inputs)
	case flags.changed("format"):
		return fmt.Errorf("--format: outputs of %s inputs have the form of the inputs", flags.form)
	case len(flags.in) > 0:
		return errTwoInputs
	case job.Stage != pica.Vertex || job.Keep:
		return failure{"vertices that depend on each other are no stream: give them as a JSON list"}
	}
	return nil
}

// stream executes the job's program for the vertices of --inputs, and writes their outputs in
// the form of the inputs.
func (a *app) stream(flags *runFlags, shader pica.Shader, job *pica.Job, newEngine func() pica.Engine) error {
	if err := flags.streamable(job); err != nil {
		return err
	}
	in, size, err := a.openInputs(flags.inputs)
	if err != nil {
		return err
	}
	defer in.Close()
	position := &counter{Reader: in}
	s := &stream{name: shown(flags.inputs), batch: vm.Batch{
		Entry: job.Entry, Floats: job.Floats, Ints: job.Ints, Bools: job.Bools, Budget: job.Budget,
		Registers: pica.NumInputs, OutMask: job.OutMask, OutFormat: pica.Float32,
		OutRows: make([]pica.Vec4, streamVertices*bits.OnesCount16(job.OutMask)),
		Traps:   make([]pica.Trap, streamVertices), Steps: make([]int, streamVertices),
	}}
	report := a.report
	if flags.form == "raw" {
		report = a.binary
		s.batch.Registers, s.batch.Format = flags.registers, pica.Float32
		s.read, s.write = readRaw(position, flags.registers), appendRaw
	} else {
		s.read, s.write = readLines(position, shader), appendLines
	}
	s.batch.Rows = make([]pica.Vec4, streamVertices*s.batch.Registers)
	if s.run, err = s.batches(flags.engine, job, newEngine); err != nil {
		return err
	}

	ctx, stop := a.interruptible()
	defer stop()
	line := a.statusLine()
	err = report(func(w io.Writer) error {
		out := bufio.NewWriter(w)
		return errors.Join(s.all(ctx, out, func() {
			share := ""
			if size > 0 {
				share = fmt.Sprintf(", %d %%", 100*position.n/size)
			}
			line.show("running: %s vertices%s", thousands(s.vertices), share)
		}), out.Flush())
	})
	line.clear()
	if errors.Is(err, pica.ErrInterrupted) {
		return failure{"interrupted after " + thousands(s.vertices) + " vertices"}
	}
	if err != nil {
		return err
	}
	if !a.quiet {
		fmt.Fprintln(a.stderr, s.summary())
	}
	return failedIf(s.traps > 0, nil)
}

// all executes the whole stream and calls show after each chunk.
func (s *stream) all(ctx context.Context, w io.Writer, show func()) error {
	var buffer []byte
	b := &s.batch
	b.Proceed = func() bool { return ctx.Err() == nil }
	for {
		if err := s.read(b); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if b.Count == 0 {
			return nil
		}
		if !b.Proceed() {
			return pica.ErrInterrupted
		}
		if err := s.run(b); err != nil {
			return err
		}
		buffer = s.write(buffer[:0], b)
		if _, err := w.Write(buffer); err != nil {
			return err
		}
		s.vertices += b.Count
		for k := range b.Count {
			s.steps += b.Steps[k]
			if b.Traps[k].Cause != pica.TrapNone {
				s.traps++
			}
		}
		show()
	}
}

// summary returns a line about the executed vertices and, for the VM, its tier.
func (s *stream) summary() string {
	line := fmt.Sprintf("%s vertices, %s, %s trapped", thousands(s.vertices), plural(s.steps, "instruction"),
		thousands(s.traps))
	for t := vm.NumTiers - 1; t > 0; t-- {
		if n := s.stats.Vertices[t]; n > 0 {
			line += fmt.Sprintf("; %s on the %v tier", thousands(n), t)
		}
	}
	for k, n := range s.stats.HandedDown {
		if n > 0 {
			line += fmt.Sprintf("; %s handed down: %v", thousands(n), vm.Reason(k))
		}
	}
	return line
}

// batches returns a function that executes the program of a job for a batch.
func (s *stream) batches(engineName string, job *pica.Job,
	newEngine func() pica.Engine) (func(b *vm.Batch) error, error) {
	if engineName == "vm" {
		code, err := vm.Compile(job.Program, job.Stage, &job.Profile)
		return func(b *vm.Batch) error {
			stats, err := code.Run(b)
			s.stats.Add(stats)
			return err
		}, engineError(job.Profile.Name, engineName, err)
	}
	engine, out := newEngine(), new(pica.Outcome)
	return func(b *vm.Batch) error {
		job.InputFormat, job.Vertices = b.Format, job.Vertices[:0]
		for rows := b.Rows[:b.Count*b.Registers]; len(rows) > 0; rows = rows[b.Registers:] {
			job.Vertices = append(job.Vertices, rows[:b.Registers])
		}
		if err := runWhile(engine, job, out, b.Proceed); err != nil {
			return engineError(job.Profile.Name, engine.Name(), err)
		}
		rows := b.OutRows[:0]
		for k := range out.Vertices {
			v := &out.Vertices[k]
			b.Traps[k], b.Steps[k] = v.Trap, v.Steps
			for n := range v.O {
				if b.OutMask>>n&1 != 0 {
					out.Storage.WidenVector(&v.O[n], &v.O[n])
					rows = append(rows, v.O[n])
				}
			}
		}
		return nil
	}, nil
}

// runWhile runs a job. If the engine can be interrupted, it stops when proceed returns false.
func runWhile(engine pica.Engine, job *pica.Job, out *pica.Outcome, proceed func() bool) error {
	if e, ok := engine.(pica.Interruptible); ok {
		return e.RunWhile(job, out, proceed)
	}
	return engine.Run(job, out)
}

// counter counts the bytes that are read.
type counter struct {
	io.Reader
	n int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n += int64(n)
	return n, err
}

// openInputs opens a file of inputs, - for standard input. The size is 0 if it is not known.
func (a *app) openInputs(name string) (in io.ReadCloser, size int64, err error) {
	if name == "-" {
		return io.NopCloser(a.stdin), 0, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	return f, size, nil
}

// readRaw reads little-endian float32, all components of v0, then v1, ...
func readRaw(r io.Reader, registers int) func(b *vm.Batch) error {
	vertex := 16 * registers
	buffer := make([]byte, streamVertices*vertex)
	return func(b *vm.Batch) error {
		n, err := io.ReadFull(r, buffer)
		b.Count = n / vertex
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF) && n%vertex != 0:
			return fmt.Errorf("%d bytes after the last vertex of %d bytes", n%vertex, vertex)
		case err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF):
			return err
		}
		for k := range b.Rows[:b.Count*registers] {
			for c := range 4 {
				b.Rows[k][c] = binary.LittleEndian.Uint32(buffer[16*k+4*c:])
			}
		}
		return nil
	}
}

// appendRaw writes the outputs in the form of raw inputs.
func appendRaw(to []byte, b *vm.Batch) []byte {
	for _, v := range b.OutRows[:b.Count*bits.OnesCount16(b.OutMask)] {
		for _, x := range v {
			to = binary.LittleEndian.AppendUint32(to, x)
		}
	}
	return to
}

// maxInputLine is the length of the longest line of inputs.
const maxInputLine = 1 << 16

// readLines reads an object of input registers a line, and ignores empty lines.
func readLines(r io.Reader, shader pica.Shader) func(b *vm.Batch) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxInputLine)
	in := assign.Inputs{Shader: shader}
	at := 0
	return func(b *vm.Batch) error {
		b.Count = 0
		for b.Count < streamVertices && lines.Scan() {
			at++
			if len(lines.Bytes()) == 0 {
				continue
			}
			row := b.Rows[b.Count*pica.NumInputs:][:pica.NumInputs]
			clear(row)
			var registers registerValues
			err := json.Unmarshal(lines.Bytes(), &registers)
			if err == nil {
				_, err = in.Vertex(registers.list(), row)
			}
			if err != nil {
				return fmt.Errorf("line %d: %w", at, err)
			}
			b.Count++
		}
		b.Format = in.Format
		if err := lines.Err(); err != nil {
			return fmt.Errorf("line %d: %w", at+1, err)
		}
		return nil
	}
}

// appendLines writes an object of output registers a line, with the trap of a run that trapped.
func appendLines(to []byte, b *vm.Batch) []byte {
	rows := b.OutRows
	for k := range b.Count {
		to = append(to, '{')
		separator := ""
		for n := range pica.NumOutputs {
			if b.OutMask>>n&1 == 0 {
				continue
			}
			to = append(append(to, separator...), `"o`...)
			to = append(strconv.AppendInt(to, int64(n), 10), `":[`...)
			for c, x := range rows[0] {
				if c > 0 {
					to = append(to, ',')
				}
				to = appendNumber(to, x)
			}
			to = append(to, ']')
			rows, separator = rows[1:], ","
		}
		if t := b.Traps[k]; t.Cause != pica.TrapNone {
			to = fmt.Appendf(to, `%s"trap":{"cause":%q,"pc":%d}`, separator, t.Cause, t.PC)
		}
		to = append(to, "}\n"...)
	}
	return to
}

// appendNumber writes a number in the fewest digits that identify it, or as the string "NaN",
// "+Inf" or "-Inf".
func appendNumber(to []byte, x uint32) []byte {
	if value := float64(math.Float32frombits(x)); !math.IsNaN(value) && !math.IsInf(value, 0) {
		return strconv.AppendFloat(to, value, 'g', -1, 32)
	}
	return strconv.AppendQuote(to, pica.Float32.Decimal(x))
}
