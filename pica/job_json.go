package pica

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// JobJSON is a job as the request object of the adapter protocol, plus the
// profile, the budget, and inputs in raw float24 (in_f24) for a job that has them
// in that format.
type JobJSON struct {
	Code    string            `json:"code"`
	Desc    string            `json:"desc,omitempty"`
	Entry   int               `json:"entry"`
	Stage   string            `json:"stage,omitempty"`
	OutMask *uint16           `json:"outmask,omitempty"`
	F32     map[string]string `json:"f32,omitempty"`
	F24     map[string]string `json:"f24,omitempty"`
	Ints    []string          `json:"i,omitempty"`
	Bools   uint16            `json:"b"`
	In      []string          `json:"in,omitempty"`
	InF24   []string          `json:"in_f24,omitempty"`
	Keep    bool              `json:"keep,omitempty"`
	Profile string            `json:"profile,omitempty"`
	Budget  int               `json:"budget,omitempty"`
}

// MarshalJSON returns the job as the request object of the adapter protocol plus
// profile and budget. Uploads are merged: of two uploads to one register the later
// one is kept. The protocol has no field for Initial; a job that sets it is
// refused.
func (j *Job) MarshalJSON() ([]byte, error) {
	if j.Initial != nil {
		return nil, errors.New("job: the protocol has no field for an initial state")
	}
	o := JobJSON{
		Code: wordsHex(j.Code), Desc: wordsHex(j.Descriptors), Entry: j.Entry, Stage: j.Stage.String(),
		OutMask: &j.OutMask, Bools: j.Bools, Keep: j.Keep, Profile: j.Profile.Name, Budget: j.Budget,
	}
	o.F32, o.F24 = uploadsHex(j.Floats)
	for _, v := range j.Ints {
		o.Ints = append(o.Ints, hex.EncodeToString(v[:]))
	}
	in := make([]string, len(j.Vertices))
	for k, regs := range j.Vertices {
		in[k] = vectorsHex(j.InputFormat, regs)
	}
	if j.InputFormat == Float24 {
		o.InF24 = in
	} else {
		o.In = in
	}
	return json.Marshal(o)
}

// ParseJob reads what MarshalJSON writes; see [JobJSON.Job]. Unknown fields are
// ignored, as the protocol is extended by adding fields.
func ParseJob(data []byte, profile func(name string) (Profile, error)) (*Job, error) {
	var o JobJSON
	if err := json.Unmarshal(data, &o); err != nil {
		return nil, fmt.Errorf("job: %w", err)
	}
	return o.Job(profile)
}

// Job returns the job that the object describes. Absent fields have the
// protocol's defaults. profile returns the profile of a name and is called with ""
// if the object names none. Uploads in f32 are applied before uploads in
// f24, each in the order of their first registers.
func (o *JobJSON) Job(profile func(name string) (Profile, error)) (*Job, error) {
	j := &Job{Entry: o.Entry, OutMask: 0xFFFF, Bools: o.Bools, Keep: o.Keep, Budget: o.Budget}
	if o.OutMask != nil {
		j.OutMask = *o.OutMask
	}
	var err error
	fail := func(field string, err error) (*Job, error) { return nil, fmt.Errorf("job: %s: %w", field, err) }
	if j.Code, err = parseWords(o.Code, 8); err != nil {
		return fail("code", err)
	}
	if j.Descriptors, err = parseWords(o.Desc, 8); err != nil {
		return fail("desc", err)
	}
	switch o.Stage {
	case "", "vs":
	case "gs":
		j.Stage = Geometry
	default:
		return fail("stage", fmt.Errorf("%q is neither vs nor gs", o.Stage))
	}
	for _, part := range []struct {
		field  string
		format NumberFormat
		runs   map[string]string
	}{{"f32", Float32, o.F32}, {"f24", Float24, o.F24}} {
		first := len(j.Floats)
		for _, key := range slices.Sorted(maps.Keys(part.runs)) {
			register, err := strconv.ParseUint(key, 10, 16)
			if err != nil {
				return fail(part.field, fmt.Errorf("%q is not a register number", key))
			}
			values, err := parseVectors(part.format, part.runs[key])
			if err != nil {
				return fail(part.field, err)
			}
			j.Floats = append(j.Floats, Upload{Register: int(register), Format: part.format, Values: values})
		}
		slices.SortStableFunc(j.Floats[first:], func(a, b Upload) int { return a.Register - b.Register })
	}
	if len(o.Ints) > NumInts {
		return fail("i", fmt.Errorf("%d values, at most %d", len(o.Ints), NumInts))
	}
	for k, s := range o.Ints {
		b, err := hex.DecodeString(s)
		if err != nil || len(b) != 4 {
			return fail("i", fmt.Errorf("%q is not 8 hex digits", s))
		}
		j.Ints[k] = [4]uint8(b)
	}
	in := o.In
	j.InputFormat = Float32
	if len(o.InF24) > 0 {
		if len(o.In) > 0 {
			return fail("in_f24", errors.New("given together with in"))
		}
		j.InputFormat, in = Float24, o.InF24
	}
	for _, s := range in {
		regs, err := parseVectors(j.InputFormat, s)
		if err != nil {
			return fail("in", err)
		}
		j.Vertices = append(j.Vertices, regs)
	}
	if j.Profile, err = profile(o.Profile); err != nil {
		return fail("profile", err)
	}
	return j, nil
}

func wordsHex(words []uint32) string {
	b := make([]byte, 0, 8*len(words))
	for _, w := range words {
		b = appendHex(b, w, 8)
	}
	return string(b)
}

func vectorsHex(format NumberFormat, vectors []Vec4) string {
	b := make([]byte, 0, 4*format.Digits()*len(vectors))
	for _, v := range vectors {
		for _, c := range v {
			b = appendHex(b, c, format.Digits())
		}
	}
	return string(b)
}

func appendHex(b []byte, v uint32, digits int) []byte {
	for i := digits - 1; i >= 0; i-- {
		b = append(b, "0123456789abcdef"[v>>(4*i)&15])
	}
	return b
}

// uploadsHex returns the final value of every uploaded register as runs of
// consecutive registers of one format.
func uploadsHex(uploads []Upload) (f32, f24 map[string]string) {
	type value struct {
		format NumberFormat
		v      Vec4
	}
	final := make(map[int]value)
	for _, u := range uploads {
		for k, v := range u.Values {
			if r := u.Register + k; r < NumFloats {
				final[r] = value{u.Format, v}
			}
		}
	}
	runs := [2]map[string]*strings.Builder{{}, {}}
	var run *strings.Builder
	last := value{}
	for r := range NumFloats {
		x, ok := final[r]
		if !ok {
			run = nil
			continue
		}
		if run == nil || x.format != last.format {
			run = new(strings.Builder)
			runs[x.format][strconv.Itoa(r)] = run
		}
		run.WriteString(vectorsHex(x.format, []Vec4{x.v}))
		last = x
	}
	text := func(m map[string]*strings.Builder) map[string]string {
		t := make(map[string]string, len(m))
		for k, b := range m {
			t[k] = b.String()
		}
		return t
	}
	return text(runs[Float32]), text(runs[Float24])
}

func parseWords(s string, digits int) ([]uint32, error) {
	if len(s)%digits != 0 {
		return nil, fmt.Errorf("%d hex digits are not a multiple of %d", len(s), digits)
	}
	words := make([]uint32, 0, len(s)/digits)
	for ; s != ""; s = s[digits:] {
		w, err := strconv.ParseUint(s[:digits], 16, 32)
		if err != nil {
			return nil, fmt.Errorf("%q is not %d hex digits", s[:digits], digits)
		}
		words = append(words, uint32(w))
	}
	return words, nil
}

func parseVectors(format NumberFormat, s string) ([]Vec4, error) {
	words, err := parseWords(s, format.Digits())
	if err != nil {
		return nil, err
	}
	if len(words)%4 != 0 {
		return nil, fmt.Errorf("%d components are not whole vectors", len(words))
	}
	vectors := make([]Vec4, len(words)/4)
	for k := range vectors {
		vectors[k] = Vec4(words[4*k:])
	}
	return vectors, nil
}
