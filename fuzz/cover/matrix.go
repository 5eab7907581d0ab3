package cover

import (
	"bufio"
	"fmt"
	"io"
)

// A Matrix counts for each point the jobs that reached it. The zero Matrix is
// empty.
type Matrix struct {
	Jobs   int
	counts [NumPoints]int
}

// Add counts a job with the points it reached.
func (m *Matrix) Add(s *Set) {
	m.Jobs++
	for p := range s.All() {
		m.counts[p]++
	}
}

// Count returns the number of jobs that reached p.
func (m *Matrix) Count(p Point) int { return m.counts[p] }

// Report is a matrix as plain data.
type Report struct {
	Jobs    int           `json:"jobs"`
	Reached int           `json:"reached"`
	Total   int           `json:"total"`
	Groups  []GroupReport `json:"groups"`
}

// GroupReport is the part of a Report about one group.
type GroupReport struct {
	Group   Group         `json:"group"`
	Reached int           `json:"reached"`
	Points  []PointReport `json:"points"`
}

// PointReport is the number of jobs that reached a point.
type PointReport struct {
	Name string `json:"name"`
	Jobs int    `json:"jobs"`
}

// Report returns the matrix by groups, in the order of the points.
func (m *Matrix) Report() Report {
	r := Report{Jobs: m.Jobs, Total: len(Points())}
	for _, p := range Points() {
		if n := len(r.Groups); n == 0 || r.Groups[n-1].Group != p.Group {
			r.Groups = append(r.Groups, GroupReport{Group: p.Group})
		}
		g := &r.Groups[len(r.Groups)-1]
		g.Points = append(g.Points, PointReport{p.Name, m.counts[p.Point]})
		if m.counts[p.Point] != 0 {
			g.Reached++
			r.Reached++
		}
	}
	return r
}

// Missing yields the names of the points that no job reached.
func (g *GroupReport) Missing(yield func(name string) bool) {
	for _, p := range g.Points {
		if p.Jobs == 0 && !yield(p.Name) {
			return
		}
	}
}

// WriteText writes a table of the groups, each with at most the given number of names of
// missing points.
func (r *Report) WriteText(w io.Writer, most int) error {
	b := bufio.NewWriter(w)
	for _, g := range r.Groups {
		fmt.Fprintf(b, "%-11s %5d of %5d\n", g.Group, g.Reached, len(g.Points))
		left := most
		for name := range g.Missing {
			if left--; left < 0 {
				fmt.Fprintf(b, "    and %d more\n", len(g.Points)-g.Reached-most)
				break
			}
			fmt.Fprintf(b, "    %s\n", name)
		}
	}
	fmt.Fprintf(b, "%-11s %5d of %5d points, %d jobs\n", "all", r.Reached, r.Total, r.Jobs)
	return b.Flush()
}
