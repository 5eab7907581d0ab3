package sharcfb

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
)

// ownership ties programs to shader binaries: SHARC032 to SHARC036. Programs
// may share binaries, so the types in a range come from a table of runs.
func (r *reader) ownership() {
	var (
		runs    [len(stageTypes) + 1][]uint32
		total   uint64
		counted = true // total has the binaries of all programs so far
	)
	for i := range r.file.Programs {
		p, place := &r.file.Programs[i], &r.programs[i]
		if !place.typed || place.variations == 0 {
			counted = false
			continue
		}
		stages := p.Kind.Stages()
		base, n := uint64(p.BaseIndex), uint64(place.variations)
		before := total
		total += n * uint64(stages)
		have, last := uint64(len(r.binaries)), base+n*uint64(stages)
		if r.allBinaries && last > have {
			r.Report("SHARC032", r.programField(i, "base_index"), diag.Value{Format: "binaries up to %d", N: have},
				diag.Value{Format: "up to %d", N: last})
			continue
		}
		if counted && base != before {
			r.Report("SHARC033", r.programField(i, "base_index"), diag.Dec(before), diag.Dec(base))
		}
		if !r.allBinaries {
			continue
		}
		if runs[stages] == nil {
			runs[stages] = r.typeRuns(stages)
		}
		run := uint64(runs[stages][base])
		if place.owns = run >= n; !place.owns {
			r.wrongStage(i, base+run*uint64(stages), stages)
		}
		if r.Done() {
			return
		}
	}
	if r.Strict() {
		return
	}
	for i, first := range diag.Repeats(len(r.file.Programs),
		func(i int) wire.Text { return r.file.Programs[i].Name }) {
		if name := r.file.Programs[i].Name; r.programs[i].named && r.programs[first].named {
			r.Report("SHARC036", r.programPlace(i), diag.Text("a name of its own"), diag.Quoted([]byte(name)),
				r.programPlace(first))
		}
	}
	if have := uint64(len(r.binaries)); counted && r.allBinaries && r.allPrograms && have != total {
		at := listRecord.At(r.binaryAt, diag.Path{Prefix: "binaries.", Field: "count"})
		r.Report("SHARC034", at, diag.Dec(total), diag.Dec(have))
	}
}

// typeRuns returns for each binary how many variations of the right types start
// there, one behind the other.
func (r *reader) typeRuns(stages int) []uint32 {
	runs := make([]uint32, len(r.binaries)+1)
	for i := len(r.binaries) - stages; i >= 0; i-- {
		if r.wrongType(i, stages) < 0 {
			runs[i] = 1 + runs[i+stages]
		}
	}
	return runs
}

// wrongType returns the first of the binaries of a variation from i on whose type is not the type of its stage, or -1.
func (r *reader) wrongType(i, stages int) int {
	for k, expected := range stageTypes[:stages] {
		if kind := r.binaries[i+k].kind; kind != expected && kind.Known() { // SHARC020 is about the others
			return i + k
		}
	}
	return -1
}

// wrongStage reports the binary that breaks the variation at base of a program:
// SHARC035.
func (r *reader) wrongStage(program int, base uint64, stages int) {
	i := r.wrongType(int(base), stages)
	expected := stageTypes[i-int(base)]
	r.Report("SHARC035", r.binaryPlace(i, "type"), diag.Text(expected.String()), diag.Text(r.binaries[i].kind.String()),
		r.programPlace(program))
}

func (r *reader) programField(i int, field string) diag.Place {
	return programRecord.At(uint64(r.programs[i].off), diag.Path{Table: programList.name, Index: i, Field: field})
}

func (r *reader) programPlace(i int) diag.Place {
	at := r.programField(i, "")
	at.Len = uint64(r.U32(at.Off))
	return at
}

// modes checks that the modes of a variation go together: GX2021. Programs may
// share binaries: findings that are only counted cost no walk.
func (r *reader) modes() {
	var (
		odd  [len(stageTypes) + 1][]oddRun
		full bool
	)
	for i := range r.file.Programs {
		if !r.programs[i].owns {
			continue
		}
		stages := r.file.Programs[i].Kind.Stages()
		if odd[stages] == nil {
			odd[stages] = r.oddModes(stages)
		}
		from := r.file.Programs[i].BaseIndex
		to := from + r.programs[i].variations*uint32(stages)
		left := int(odd[stages][from].count - odd[stages][to].count)
		for at := from; left > 0 && !full; left-- {
			at = odd[stages][at].first
			r.oddMode(i, int(at), stages)
			at += uint32(stages)
			full = r.Full("GX2021")
		}
		r.Count("GX2021", left)
	}
}

// oddRun describes the variations from a binary on whose modes do not go
// together: the first binary of the first one, and their number.
type oddRun struct{ first, count uint32 }

// oddModes returns the run of each binary.
func (r *reader) oddModes(stages int) []oddRun {
	n := len(r.binaries)
	runs := make([]oddRun, n+stages)
	for i := n - stages; i >= 0; i-- {
		runs[i] = runs[i+stages]
		if r.oddStage(i, stages) >= 0 {
			runs[i] = oddRun{uint32(i), runs[i].count + 1}
		}
	}
	return runs
}

// oddStage returns the first stage of the variation at i whose mode does not go
// with the others, or -1; also if one of the modes is not known.
func (r *reader) oddStage(i, stages int) int {
	for _, b := range r.binaries[i : i+stages] {
		if !b.moded {
			return -1
		}
	}
	mode := func(stage int) gx2.Mode { return r.binaries[i+stage].mode }
	block := func(m gx2.Mode) bool { return m <= gx2.ModeBlock }
	geometry := stages == len(stageTypes)
	switch {
	case geometry && mode(0) != gx2.ModeGeometry, !geometry && !block(mode(0)):
		return 0
	case geometry && !block(mode(1)), !geometry && mode(1) != mode(0):
		return 1
	case geometry && mode(2) != gx2.ModeGeometry:
		return 2
	}
	return -1
}

// oddMode reports the variation of a program at binary i.
func (r *reader) oddMode(program, i, stages int) {
	stage := r.oddStage(i, stages)
	expected := diag.Text("register or block")
	switch {
	case stage != 1 && stages == len(stageTypes):
		expected = diag.Text(gx2.ModeGeometry.String())
	case stage == 1 && stages != len(stageTypes):
		expected = diag.Text(r.binaries[i].mode.String() + ", as the vertex shader")
	}
	b := &r.binaries[i+stage]
	at := b.kind.ModePlace(b.data(), diag.Path{Table: "binaries", Index: i + stage})
	r.Report("GX2021", at, expected, diag.Text(b.mode.String()), r.programPlace(program))
}
