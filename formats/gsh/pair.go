package gsh

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
)

// shaderRecord is a header block and its program blocks, as indices of blocks.
type shaderRecord struct {
	header        int
	program, copy int // 0 for none: block 0 is no program
	before        int // blocks other than padding in front of the header

	kind  gx2.Type
	model int // index in File.Shaders; -1 for none
	sound bool
	moded bool // the mode is known
	names bool // they are over the limit

	registers bool // their bits are in fields

	form  bool // the patch list has one of the two forms
	style Style
}

// complete reports whether a header has all its programs.
func (s *shaderRecord) complete() bool {
	return s.program > 0 && (s.copy > 0 || s.kind != gx2.Geometry)
}

// pair gives every program to its header: GSH030 to GSH034. wut pairs blocks of a
// type by their number, decaf-emu by the last header; these rules hold when both
// agree.
func (r *reader) pair() {
	open := [len(headerOf)]int{-1, -1, -1} // the last header of each type
	blocks := 0                            // other than padding, so far
	r.shaders = make([]shaderRecord, 0, r.headers)
	for i, b := range r.layout.Blocks {
		k := b.Type.known()
		if r.places[i].old {
			k = kind{}
		}
		switch k.role {
		case paddingRole:
			continue
		case headerRole:
			if last := open[k.shader]; last >= 0 && !r.shaders[last].complete() {
				r.incomplete(last)
			}
			open[k.shader] = len(r.shaders)
			r.shaders = append(r.shaders, shaderRecord{header: i, before: blocks, kind: k.shader, model: -1})
		case programRole, copyRole:
			r.program(i, k, open[k.shader], blocks)
		}
		if r.Done() {
			return
		}
		blocks++
	}
	if !r.ended {
		return
	}
	for i := range r.shaders {
		if s := &r.shaders[i]; open[s.kind] == i && !s.complete() {
			r.incomplete(i)
		}
	}
	if len(r.shaders) == 0 {
		r.Report("GSH034", r.filePlace(), diag.Text("a shader"), diag.Text("none"))
	}
}

// incomplete reports a shader without its programs.
func (r *reader) incomplete(i int) {
	s := &r.shaders[i]
	missing := programOf[s.kind]
	if s.program > 0 {
		missing = CopyProgram
	}
	r.ReportAs(r.fragment(), "GSH031", r.whereBlock(s.header), diag.Text(missing.String()), diag.Text("none"))
}

// fragment returns the severity of a header or program without its counterpart, and notes that the
// file needs the leniency.
func (r *reader) fragment() diag.Severity {
	if !slices.Contains(r.opts, Fragment) {
		return diag.Error
	}
	r.file.Leniencies = []Option{Fragment}
	return diag.Warning
}

// program gives block i to a shader. blocks is the number of blocks between the header and block i, padding aside.
func (r *reader) program(i int, k kind, owner, blocks int) {
	if owner < 0 {
		severity := r.fragment()
		r.places[i].lone = severity == diag.Warning
		r.ReportAs(severity, "GSH030", r.whereBlock(i), diag.Text(headerOf[k.shader].String()),
			diag.Text("none before it"))
		return
	}
	s := &r.shaders[owner]
	place := &s.program
	if k.role == copyRole {
		place = &s.copy
	}
	if *place > 0 {
		r.Report("GSH030", r.whereBlock(i), diag.Text("one for each header"), diag.Text("another"))
		return
	}
	*place = i
	if k.role == copyRole && s.program == 0 {
		r.Report("GSH032", r.whereBlock(i), diag.Text("behind the program"), diag.Text("before it"))
	}
	between := blocks - s.before - 1
	if s.program > 0 && s.copy > 0 {
		between-- // the other program
	}
	if between > 0 {
		r.Report("GSH033", r.whereBlock(i), diag.Text("padding only in front of it"),
			diag.Count(uint64(between), "other block"))
	}
}
