package microcode

import (
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/latte"
)

// Check returns what is wrong with the programs of a model, each by itself and with its shader. The regions are those
// of the model. Nothing of it makes a file refused.
func Check(model any, regions []diag.Region) []diag.Finding {
	places := map[string]*diag.Region{}
	for i := range regions {
		if _, field, _ := strings.Cut(regions[i].Path, "]."); placeFields[field] {
			places[regions[i].Path] = &regions[i]
		}
	}
	collected := diag.Collect(ruleSet)
	list, _ := Of(model)
	for i := range list {
		p := &list[i]
		for _, f := range latte.Check(p.Code, p.Structure()) {
			collected.ReportAs(diag.Severity(f.Severity), f.Rule, p.at(&f, places), diag.Value{}, diag.Text(f.Found))
			collected.Count(f.Rule, f.More)
		}
	}
	return collected.Findings()
}

// placeFields are the fields of shaders in which findings are.
var placeFields = func() map[string]bool {
	fields := map[string]bool{"code": true, "copy_code": true, "data": true, lastOfHeader: true}
	for p := range latte.Place(latte.NumPlaces) {
		for s := range latte.Copy + 1 {
			fields[p.Field(s)] = true
		}
	}
	return fields
}()

// lastOfHeader is the last field of the header of a block.
const lastOfHeader = "index"

// at is the place of a finding in the file.
func (p *Program) at(f *latte.Finding, places map[string]*diag.Region) diag.Place {
	if f.Place == latte.Code {
		table, off := p.Path[len(p.owner)+1:], f.Off
		if r := places[p.Path]; r != nil {
			off += r.Off
		} else { // an empty program
			last := places[p.owner+"."+lastOfHeader]
			off += last.Off + last.Len
		}
		return diag.Place{Off: uint64(off), Len: uint64(f.Len),
			Path: diag.Path{Prefix: p.owner + ".", Table: table, Index: f.Off / latte.WordBytes}}
	}
	field := f.Place.Field(p.Stage)
	r := places[p.owner+"."+field]
	return diag.Place{Off: uint64(r.Off), Len: uint64(r.Len), Path: diag.Path{Prefix: p.owner + ".", Field: field}}
}
