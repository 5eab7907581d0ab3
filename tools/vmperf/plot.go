package main

import (
	"fmt"
	"io"
	"math"
	"text/template"
)

// The edges of the plot in the picture.
const (
	left, right = 50.0, 740.0
	top, bottom = 45.0, 300.0
)

// A mark shows measurements of a tier. Its shape is a path around the place.
type mark struct{ Colour, Shape string }

var marks = map[string]mark{
	"scalar": {"#c0392b", "m-5,0a5,5 0 1 0 10,0a5,5 0 1 0 -10,0z"},
	"batch":  {"#2e8b57", "m-4.5,-4.5h9v9h-9z"},
	"native": {"#2471a3", "m0,-6l5.2,9h-10.4z"},
}

// An item is a text, a line of the grid or a mark at a place.
type item struct {
	X, Y float64
	Text string
	Mark mark
}

var picture = template.Must(template.New("").Parse(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 330"
	font-family="sans-serif" font-size="12">
<rect width="760" height="330" fill="#fff"/>
<text x="50" y="25" font-size="14">ns an instruction, profile f32</text>
{{range .Grid -}}
<path d="M50,{{printf "%.1f" .Y}}H740" stroke="{{if .Text}}#888{{else}}#ddd{{end}}"/>
{{if .Text -}}
<text x="44" y="{{printf "%.1f" .Y}}" dy="4" text-anchor="end">{{.Text}}</text>
{{end}}{{end}}{{range .Jobs -}}
<text x="{{printf "%.1f" .X}}" y="320" text-anchor="middle">{{html .Text}}</text>
{{end}}{{range .Legend -}}
<text x="{{printf "%.1f" .X}}" y="{{printf "%.1f" .Y}}" dx="12" dy="4">{{.Text}}</text>
{{end}}{{range .Marks -}}
<path d="M{{printf "%.1f,%.1f" .X .Y}}{{.Mark.Shape}}" fill="none" stroke="{{.Mark.Colour}}" stroke-width="1.5"/>
{{end}}</svg>
`))

// plot draws ns an instruction of profile f32 by job on a logarithmic scale, a mark for each tier.
func (r *results) plot(w io.Writer) error {
	values := func(visit func(job int, tier string, log float64)) {
		for k, job := range r.jobs {
			for _, tier := range tiers {
				if v, ok := r.best[key{job, tier, "f32"}]; ok && v.instruction > 0 && !math.IsInf(v.instruction, 0) {
					visit(k, tier, math.Log10(v.instruction))
				}
			}
		}
	}
	low, high := math.Inf(1), math.Inf(-1) // whole decades around all values
	values(func(_ int, _ string, log float64) {
		low, high = min(low, math.Floor(log)), max(high, math.Floor(log)+1)
	})
	if low > high {
		return fmt.Errorf("no benchmark has a time an instruction in profile f32")
	}
	y := func(log float64) float64 { return bottom - (log-low)/(high-low)*(bottom-top) }
	x := func(job int) float64 { return left + (float64(job)+0.5)*(right-left)/float64(len(r.jobs)) }

	var p struct{ Grid, Jobs, Legend, Marks []item }
	for decade := low; decade <= high; decade++ {
		p.Grid = append(p.Grid, item{Y: y(decade), Text: fmt.Sprintf("%g", math.Pow(10, decade))})
		for n := 2; n < 10 && decade < high; n++ {
			p.Grid = append(p.Grid, item{Y: y(decade + math.Log10(float64(n)))})
		}
	}
	for k, job := range r.jobs {
		p.Jobs = append(p.Jobs, item{X: x(k), Text: job})
	}
	for k, tier := range tiers {
		i := item{X: right - 80*float64(len(tiers)-k), Y: 20, Text: tier, Mark: marks[tier]}
		p.Legend, p.Marks = append(p.Legend, i), append(p.Marks, i)
	}
	values(func(job int, tier string, log float64) {
		p.Marks = append(p.Marks, item{X: x(job), Y: y(log), Mark: marks[tier]})
	})
	return picture.Execute(w, p)
}
