package wire_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// kind has names for its values.
type kind uint8

func (k kind) String() string { return fmt.Sprintf("kind %d", uint8(k)) }

// sample has a field of every width.
type sample struct {
	Kind  kind
	Small int8
	Half  uint16
	Index int32
	Long  uint64
	Raw   [3]byte
}

var sampleRecord = wire.NewRecord("sample",
	wire.Magic[sample]("SMPL"),
	wire.Uint("kind", func(s *sample) *kind { return &s.Kind }, "what it is").Must("X001", wire.AtMost(1), diag.Dec),
	wire.Uint("small", func(s *sample) *int8 { return &s.Small }, ""),
	wire.Uint("half", func(s *sample) *uint16 { return &s.Half }, "").Hex(),
	wire.Uint("index", func(s *sample) *int32 { return &s.Index }, "").As(wire.ShowSigned),
	wire.Uint("long", func(s *sample) *uint64 { return &s.Long }, ""),
	wire.Raw("raw", 3, func(s *sample) []byte { return s.Raw[:] }, "kept"),
	wire.Derived("sum", 2, func(s *sample) uint64 { return uint64(s.Half) + 1 }, "").
		Must("X002", wire.AtMost(0xFFFE), diag.Dec).Apart(),
	wire.Unread[sample]("rest", 1, ""),
)

var samples = []sample{
	{1, -1, 0x0203, -2, 0x0102030405060708, [3]byte{1, 2, 3}},
	{2, 1, 0xFFFE, 1 << 30, 1 << 63, [3]byte{0, 0xFF, 0}},
}

func TestRecord(t *testing.T) {
	const little = "534d504c 01 ff 0302 feffffff 0807060504030201 010203 0402 00"
	const big = "534d504c 01 ff 0203 fffffffe 0102030405060708 010203 0204 00"
	for want, r := range map[string]*wire.Record[sample]{little: sampleRecord,
		big: sampleRecord.In(binary.BigEndian)} {
		b := r.Append([]byte{9}, samples...)
		if got := fmt.Sprintf("%x", b[1:][:r.Bytes]); got != strings.ReplaceAll(want, " ", "") {
			t.Errorf("got %s, want %s", got, want)
		}
		if diff := cmp.Diff(samples, r.Decode(b[1:])); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		one := make([]sample, 1)
		if r.Get(b[1+r.Bytes:], one); one[0] != samples[1] {
			t.Errorf("got %+v, want %+v", one[0], samples[1])
		}
	}
	if sampleRecord.Decode(nil) != nil {
		t.Error("an empty table is not nil")
	}
}

// grouped has fields that are read and written together.
type grouped struct {
	A, B    uint8
	C       int16
	D       uint16
	E       uint32
	F       int32
	Extents [2]wire.Extent
	Words   [2]uint32
}

var groupedRecord = wire.NewRecord("grouped", slices.Concat(
	wire.Pair(func(g *grouped) (*uint8, *uint8) { return &g.A, &g.B },
		wire.Unread[grouped]("a", 1, ""), wire.Unread[grouped]("b", 1, "")),
	wire.Pair(func(g *grouped) (*int16, *uint16) { return &g.C, &g.D },
		wire.Unread[grouped]("c", 2, ""), wire.Unread[grouped]("d", 2, "")),
	wire.Pair(func(g *grouped) (*uint32, *int32) { return &g.E, &g.F },
		wire.Unread[grouped]("e", 4, ""), wire.Unread[grouped]("f", 4, "")),
	wire.AllExtents(func(g *grouped) []wire.Extent { return g.Extents[:] },
		wire.Extents(func(g *grouped) *wire.Extent { return &g.Extents[0] }, "",
			wire.Unread[grouped]("x.count", 4, ""), wire.PlaceRules{}),
		wire.Extents(func(g *grouped) *wire.Extent { return &g.Extents[1] }, "",
			wire.Unread[grouped]("y.size", 4, ""), wire.PlaceRules{})),
	wire.Words(func(g *grouped) []uint32 { return g.Words[:] },
		wire.Unread[grouped]("w0", 4, ""), wire.Unread[grouped]("w1", 4, "")),
)...)

// TestGroups: fields that are read and written together have the same bytes as alone. A record
// that ends inside a group reads them alone.
func TestGroups(t *testing.T) {
	v := grouped{1, 2, -3, 0xFFFE, 0x01020304, -6,
		[2]wire.Extent{{Offset: 7, Count: 8}, {Offset: 9, Count: 1 << 31}}, [2]uint32{11, 12}}
	const (
		little = "01 02 fdff feff 04030201 faffffff 07000000 08000000 09000000 00000080 0b000000 0c000000"
		big    = "01 02 fffd fffe 01020304 fffffffa 00000007 00000008 00000009 80000000 0000000b 0000000c"
	)
	for order, want := range map[binary.ByteOrder]string{binary.LittleEndian: little, binary.BigEndian: big} {
		r := groupedRecord.In(order)
		if again := r.In(order); again != r {
			t.Error("In changes a record in the same order")
		}
		b := r.Append(nil, v)
		if got := fmt.Sprintf("%x", b); got != strings.ReplaceAll(want, " ", "") {
			t.Errorf("got %s, want %s", got, want)
		}
		for n := range len(r.Struct) {
			first := groupedRecord.First(n + 1).In(order)
			if got := first.Append(nil, first.Decode(b[:first.Bytes])...); !bytes.Equal(got, b[:first.Bytes]) {
				t.Errorf("%d fields: got %x, want %x", n+1, got, b[:first.Bytes])
			}
		}
	}
}

// TestPairOfOtherSizes: the sizes in a record must equal the sizes in the model.
func TestPairOfOtherSizes(t *testing.T) {
	for _, size := range []int{1, 3, 4} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a field of %d bytes has 2 in the model", size)
				}
			}()
			wire.Pair(func(g *grouped) (*int16, *uint16) { return &g.C, &g.D },
				wire.Unread[grouped]("c", 2, ""), wire.Unread[grouped]("d", size, ""))
		}()
	}
}

func TestWords(t *testing.T) {
	r := wire.NewRecord("word", wire.Word[uint32]("")).In(binary.BigEndian)
	b := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	table := r.Decode(b)
	if !slices.Equal(table, []uint32{0x01020304, 0x05060708}) {
		t.Errorf("got %x", table)
	}
	if got := r.Append(nil, table...); !bytes.Equal(got, b) {
		t.Errorf("got %x, want %x", got, b)
	}
	if !r.Equal(&table[0], &table[0]) || r.Equal(&table[0], &table[1]) {
		t.Error("Equal does not compare the word")
	}
}

func TestRecordRegions(t *testing.T) {
	b := sampleRecord.Append(nil, samples[0])
	got := sampleRecord.AppendRegions(nil, b, 0, binary.LittleEndian, "s.")
	var text []string
	for _, r := range got {
		text = append(text, fmt.Sprintf("%d %d %s %s", r.Off, r.Len, r.Path, r.Value))
	}
	want := []string{
		`0 4 s.magic "SMPL"`, `4 1 s.kind kind 1`, `5 1 s.small 255`, `6 2 s.half 0x0203`, `8 4 s.index -2`,
		`12 8 s.long 72623859790382856`, `20 3 s.raw 010203`, `23 2 s.sum 516`, `25 1 s.rest 0`,
	}
	if diff := cmp.Diff(want, text); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRecordDoc(t *testing.T) {
	const want = `sample:

	0x00  magic  4 bytes  "SMPL"
	0x04  kind   u8       what it is
	0x05  small  s8
	0x06  half   u16
	0x08  index  s32
	0x0C  long   u64
	0x14  raw    3 bytes  kept
	0x17  sum    u16
	0x19  rest   u8
`
	if diff := cmp.Diff(want, sampleRecord.Doc()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for size, want := range map[int]string{0x100: "0x00  ", 0x101: "0x000  "} {
		if got := wire.NewRecord("long", wire.Unread[sample]("all", size, "")).Doc(); !strings.Contains(got, want) {
			t.Errorf("%d bytes: got %s, want offset %q", size, got, want)
		}
	}
}

func TestRecordRules(t *testing.T) {
	rules := diag.NewRuleSet([]diag.Rule{{ID: "X001", Severity: diag.Error, Title: "unknown kind"},
		{ID: "X002", Severity: diag.Warning, Title: "large sum"}})
	broken := []diag.Finding{{Rule: "X001", Severity: diag.Error, Off: 7, Len: 1, Path: "s[1].kind",
		Msg: "unknown kind", Expected: "<= 1", Found: "2"}}
	apart := []diag.Finding{{Rule: "X002", Severity: diag.Warning, Off: 26, Len: 2, Path: "s[1].sum",
		Msg: "large sum", Expected: "<= 65534", Found: "65535"}}
	at := func(field string) diag.Place {
		return sampleRecord.At(3, diag.Path{Table: "s", Index: 1, Field: field})
	}
	for name, c := range map[string]struct {
		value sample
		rule  string // that alone is checked; Check if empty
		want  []diag.Finding
	}{
		"a forbidden value":          {samples[1], "", broken},
		"an allowed value":           {samples[0], "", nil},
		"a forbidden value, by rule": {samples[1], "X001", broken},
		"an allowed value, by rule":  {samples[0], "X001", nil},
		"a rule apart":               {samples[1], "X002", apart},
		"an allowed value, apart":    {samples[0], "X002", nil},
	} {
		r := diag.Collect(rules)
		v := wire.LE(append(make([]byte, 3), sampleRecord.Append(nil, c.value)...))
		if c.rule == "" {
			sampleRecord.Check(r, v, 3, at)
		} else {
			rule := sampleRecord.Only(c.rule)
			rule.Check(r, v, 3, at)
		}
		if diff := cmp.Diff(c.want, r.Findings()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestTableRules: the records of a table are checked one by one, in the rules of the format only
// if they are records of another format.
func TestTableRules(t *testing.T) {
	table := wire.LE(sampleRecord.Append(nil, samples[1], samples[0], samples[1]))
	at := func(i int, field string) diag.Place {
		return sampleRecord.At(uint64(100*i), diag.Path{Table: "s", Index: i, Field: field})
	}
	r := diag.Collect(diag.NewRuleSet([]diag.Rule{{ID: "X001", Severity: diag.Error}}))
	sampleRecord.CheckTable(r, table, at)
	var got []string
	for _, f := range r.Findings() {
		got = append(got, fmt.Sprint(f.Off, " ", f.Path))
	}
	if diff := cmp.Diff([]string{"4 s[0].kind", "204 s[2].kind"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	r = diag.Collect(nil)
	rules := sampleRecord.Of(nil)
	if rules.CheckTable(r, table, at); len(r.Findings()) > 0 {
		t.Errorf("rules of another format: %v", r.Findings())
	}
}

// toy is a record with a table behind it.
type toy struct{ table wire.Extent }

var toyRecord = wire.NewRecord("toy", slices.Concat(
	[]wire.Field[toy]{
		wire.Magic[toy]("TOY!", "MAGIC"),
		wire.Unread[toy]("kind", 2, ""),
		wire.Unread[toy]("a", 1, "").Must("ZERO", wire.Is(0), diag.Dec, wire.If("kind", wire.Not(1))).Once(),
		wire.Unread[toy]("b", 1, "").Must("ZERO", wire.Is(0), diag.Dec, wire.If("kind", wire.Not(1))).Once().
			Must("SAME", wire.EqualTo("a"), diag.Dec, wire.If("kind", wire.Is(1)), wire.If("a", wire.NotZero())),
	},
	wire.Extents(func(v *toy) *wire.Extent { return &v.table }, "", wire.Unread[toy]("table.count", 4, ""),
		wire.PlaceRules{Misaligned: "ALIGN", Outside: "PLACE", First: 16, Entry: 4}),
)...)

// TestRuleRows: a row may compare fields, have conditions, speak of the place of a table in the file, and be
// reported once; the characters of a magic have no byte order.
func TestRuleRows(t *testing.T) {
	var rules []diag.Rule
	for _, id := range []string{"MAGIC", "ZERO", "SAME", "ALIGN", "PLACE"} {
		rules = append(rules, diag.Rule{ID: id, Severity: diag.Error})
	}
	all := toyRecord.Only("MAGIC", "ZERO", "SAME", "ALIGN", "PLACE")
	for name, c := range map[string]struct {
		magic         string
		kind          uint16
		a, b          uint8
		offset, count uint32
		want          string
	}{
		"nothing is wrong":      {"TOY!", 0, 0, 0, 16, 2, ""},
		"another magic":         {"!YOT", 0, 0, 0, 0, 0, `MAGIC magic "TOY!" "!YOT";`},
		"two fields, one rule":  {"TOY!", 2, 3, 4, 0, 0, "ZERO a 0 3;"},
		"the second field only": {"TOY!", 0x100, 0, 4, 0, 0, "ZERO b 0 4;"},
		"equal":                 {"TOY!", 1, 4, 4, 0, 0, ""},
		"not equal":             {"TOY!", 1, 4, 5, 0, 0, "SAME b 4 5;"},
		"not equal, but a is 0": {"TOY!", 1, 0, 5, 0, 0, ""},
		"an empty table":        {"TOY!", 0, 0, 0, 1, 0, ""},
		"in the header":         {"TOY!", 0, 0, 0, 12, 9, "PLACE table.offset >= 0x10 0xc;"},
		"misaligned":            {"TOY!", 0, 0, 0, 18, 1, "ALIGN table.offset multiple of 4 0x12;"},
		"outside":               {"TOY!", 0, 0, 0, 20, 2, "PLACE table.offset end <= 0x1b end 0x1f;"},
		"misaligned and outside": {"TOY!", 0, 0, 0, 21, 2,
			"ALIGN table.offset multiple of 4 0x15;PLACE table.offset end <= 0x1b end 0x20;"},
	} {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			b := order.AppendUint16([]byte("..."+c.magic), c.kind)
			b = order.AppendUint32(order.AppendUint32(append(b, c.a, c.b), c.offset), c.count)
			v := wire.LE(append(b, make([]byte, 8)...))
			v.Big = order.String() == binary.BigEndian.String()
			r, got := diag.Collect(diag.NewRuleSet(rules)), ""
			at := func(field string) diag.Place { return toyRecord.At(3, diag.Path{Field: field}) }
			broken := all.Check(r, v, 3, at)
			for _, f := range r.Findings() {
				got += fmt.Sprintf("%s %s %s %s;", f.Rule, f.Path, f.Expected, f.Found)
			}
			if got != c.want || broken.Any() != (got != "") || broken.Any("SAME") != strings.Contains(got, "SAME") {
				t.Errorf("%s, %v: got %s, %v, want %s", name, order, got, broken.IDs(), c.want)
			}
		}
	}
}

// TestConstraints: every value that a constraint hands out is allowed, the first is the
// plainest.
func TestConstraints(t *testing.T) {
	for first, c := range map[uint64]wire.Constraint{
		0: wire.AtMost(3), 5: wire.Is(5), 6: wire.IsHex(6), 64: wire.OneOf(diag.Dec, 64, 0), 1: wire.NotZero(),
		7: wire.From(7), 4: wire.Where("", func(n uint64) bool { return n == 4 }),
	} {
		if c.Nth == nil {
			if !c.Allows(first) || c.Allows(first-1) || c.Allows(first+1) {
				t.Errorf("more than %d or less is allowed", first)
			}
			continue
		}
		if got := c.Nth(0); got != first {
			t.Errorf("%v: the first is %d, want %d", c.Expected, got, first)
		}
		for n := range uint64(9) {
			if !c.Allows(c.Nth(n)) {
				t.Errorf("%v: %d is not allowed", c.Expected, c.Nth(n))
			}
		}
	}
	if got := wire.AtMost(math.MaxUint64).Nth(math.MaxUint64); got != math.MaxUint64 {
		t.Errorf("the last integer of all: got %#x", got)
	}
}
