package vectors

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// frame is the C header around the tables.
//
//go:embed frame.h
var frame string

// header collects the tables of the C header.
type header struct {
	words      []uint32 // the words of all tables, which are indexes into it
	vectors    []string
	expects    []string
	primitives int // the largest number for a vertex
	profiles   []string
}

// WriteHeader writes vectors as a C header, for C99 and C++17, that needs only the standard
// library.
func WriteHeader(w io.Writer, list []Vector) error {
	h := header{profiles: profile.Names()}
	for i := range list {
		if err := h.add(i, &list[i]); err != nil {
			return fmt.Errorf("%s: %w", list[i].Name, err)
		}
	}
	sum := fnv.New32a()
	var text, names strings.Builder
	for k, x := range h.words {
		_ = binary.Write(sum, binary.LittleEndian, x) // a hash cannot fail
		if text.WriteString([2]string{"", "    "}[bool2int(k%8 == 0)]); k%8 == 7 || k+1 == len(h.words) {
			fmt.Fprintf(&text, "0x%xu,\n", x)
		} else {
			fmt.Fprintf(&text, "0x%xu, ", x)
		}
	}
	for _, name := range h.profiles {
		fmt.Fprintf(&names, "    %s,\n", strconv.Quote(name))
	}
	_, err := strings.NewReplacer(
		"@WORDS@", text.String(), "@PROFILES@", names.String(),
		"@VECTORS@", strings.Join(h.vectors, ""), "@EXPECTS@", strings.Join(h.expects, ""),
		"@NUM_PROFILES@", strconv.Itoa(len(h.profiles)), "@NUM_VECTORS@", strconv.Itoa(len(h.vectors)),
		"@NUM_EXPECTS@", strconv.Itoa(len(h.expects)), "@NUM_WORDS@", strconv.Itoa(len(h.words)),
		"@PRIMITIVES@", strconv.Itoa(max(h.primitives, 1)), "@SUM@", fmt.Sprintf("0x%08xu", sum.Sum32()),
	).WriteString(w, frame)
	return err
}

func bool2int(b bool) int {
	if b {
		return 1
	}
	return 0
}

// put appends words and returns the index of the first.
func (h *header) put(words ...uint32) int {
	h.words = append(h.words, words...)
	return len(h.words) - len(words)
}

// add adds a vector and its expectations.
func (h *header) add(number int, v *Vector) error {
	job, err := pica.ParseJob(v.Job, func(string) (pica.Profile, error) { return pica.Profile{}, nil })
	if err != nil {
		return err
	}
	code, desc := h.put(job.Code...), h.put(job.Descriptors...)
	floats, count := len(h.words), 0
	for _, u := range job.Floats {
		for k, x := range u.Values {
			if r := u.Register + k; r < pica.NumFloats {
				h.put(uint32(r), uint32(4*u.Format.Digits()), x[0], x[1], x[2], x[3])
				count++
			}
		}
	}
	in := len(h.words)
	for _, registers := range job.Vertices {
		h.put(uint32(len(registers)))
		for _, x := range registers {
			h.put(x[:]...)
		}
	}
	var ints [pica.NumInts]uint32
	for k, i := range job.Ints {
		ints[k] = uint32(i[0])<<24 | uint32(i[1])<<16 | uint32(i[2])<<8 | uint32(i[3])
	}
	h.vectors = append(h.vectors, fmt.Sprintf(
		"    {%s, %s, %s, %d, %d, 0x%04x, 0x%04x, %d, {0x%08xu, 0x%08xu, 0x%08xu, 0x%08xu}, %d, %d, %d, %d, %d, %d, "+
			"%d, %d},\n",
		strconv.QuoteToASCII(v.Name), strconv.QuoteToASCII(v.Symptom), strconv.QuoteToASCII(v.Provenance),
		job.Entry, job.Stage, job.OutMask, job.Bools, bool2int(job.Keep), ints[0], ints[1], ints[2], ints[3],
		code, len(job.Code), desc, len(job.Descriptors), floats, count, in, len(job.Vertices)))
	for i := range v.Expect {
		if err := h.expect(number, job, &v.Expect[i]); err != nil {
			return err
		}
	}
	return nil
}

// expect adds an expectation of register values.
func (h *header) expect(number int, job *pica.Job, e *Expectation) error {
	if len(e.Vertices) == 0 {
		return nil
	}
	mask, at := 0, len(h.words)
	for k, name := range h.profiles {
		if slices.Contains(e.Profiles, name) {
			mask |= 1 << k
		}
	}
	for _, r := range e.Vertices {
		written := uint32(0)
		for k := range pica.NumOutputs {
			if _, ok := r.O[fmt.Sprintf("o%d", k)]; ok {
				written |= 1 << k
			}
		}
		h.put(written, uint32(r.A[0]), uint32(r.A[1]), uint32(r.A[2]), uint32(r.CC), uint32(len(r.Primitives)))
		h.primitives = max(h.primitives, len(r.Primitives))
		for k := range pica.NumOutputs {
			if err := h.hex(r.O[fmt.Sprintf("o%d", k)]); err != nil {
				return err
			}
		}
		for _, p := range r.Primitives {
			h.put(uint32(p.W), uint32(stored(job)))
			for _, slot := range p.V {
				if err := h.hex(slot); err != nil {
					return err
				}
			}
		}
	}
	class := slices.Index([]string{Exact, ULP, Estimate}, e.Class)
	h.expects = append(h.expects, fmt.Sprintf("    {%d, 0x%x, %d, %d},\n", number, mask, class, at))
	return nil
}

// hex adds the words of hex digits.
func (h *header) hex(digits string) error {
	for ; digits != ""; digits = digits[8:] {
		x, err := strconv.ParseUint(digits[:8], 16, 32)
		if err != nil {
			return err
		}
		h.put(uint32(x))
	}
	return nil
}
