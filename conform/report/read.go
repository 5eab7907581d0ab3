package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ErrReport means that a file is no report of conform.
var ErrReport = errors.New("not a report of conform")

// mostCounted is the largest count in a report: sums of such numbers do not overflow.
const mostCounted = 1 << 40

// shardForm is the form of the name of a shard.
var shardForm = regexp.MustCompile(`^([1-9][0-9]{0,5}/[1-9][0-9]{0,5})?$`)

// Read reads a report that was written as JSON. Every part of it that later steps rely on is
// checked; an error wraps ErrReport and names the field.
func Read(data []byte) (*Report, error) {
	r := new(Report)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrReport, err)
	}
	if err := r.validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrReport, err)
	}
	r.Summary = nil // it is made again from what it sums up
	return r, nil
}

// ErrNoEntry means that a report has no deviation of a number or name.
var ErrNoEntry = errors.New("no such entry")

// Find returns the deviation with a number, "3", or with a name.
func (r *Report) Find(entry string) (*Deviation, error) {
	n, err := strconv.Atoi(entry)
	for i := range r.Deviations {
		if err == nil && n == i+1 || r.Deviations[i].Bucket == entry {
			return &r.Deviations[i], nil
		}
	}
	return nil, fmt.Errorf("%w: %q, the report has %d", ErrNoEntry, entry, len(r.Deviations))
}

func (r *Report) validate() error {
	switch {
	case !strings.HasPrefix(r.Command, "conform "):
		return fmt.Errorf("command: %q", r.Command)
	case !slices.Contains([]string{"", "reader", "writer"}, r.Kind):
		return fmt.Errorf("kind: %q", r.Kind)
	case !shardForm.MatchString(r.Shard):
		return fmt.Errorf("shard: %q", r.Shard)
	}
	for i, row := range r.Matrix {
		if len(row.Cells) != len(r.Classes) {
			return fmt.Errorf("matrix[%d].cells: %d for %d classes", i, len(row.Cells), len(r.Classes))
		}
	}
	for i, t := range r.Tables {
		for k, row := range t.Rows {
			if len(row) > len(t.Columns) {
				return fmt.Errorf("tables[%d].rows[%d]: %d cells for %d columns", i, k, len(row), len(t.Columns))
			}
		}
	}
	for name, list := range map[string][]Deviation{"findings": r.Findings, "deviations": r.Deviations} {
		for i := range list {
			d := &list[i]
			switch {
			case d.Bucket == "":
				return fmt.Errorf("%s[%d].bucket: empty", name, i)
			case !slices.Contains(Levels, d.Verdict):
				return fmt.Errorf("%s[%d].verdict: %q", name, i, d.Verdict)
			case name == "deviations" && d.Number != 0 && d.Number != i+1:
				return fmt.Errorf("deviations[%d].number: %d", i, d.Number)
			case name == "findings" && len(d.Members) == 0:
				return fmt.Errorf("%s[%d].members: empty", name, i)
			}
		}
	}
	return counted(reflect.ValueOf(r).Elem(), "")
}

// counted checks the counts below a value.
func counted(v reflect.Value, path string) error {
	switch {
	case v.CanInt():
		if n := v.Int(); n < 0 || n > mostCounted {
			return fmt.Errorf("%s: %d, want 0 to %d", path, n, int64(mostCounted))
		}
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8:
		for i := range v.Len() {
			if err := counted(v.Index(i), fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if name == "-" {
				continue
			}
			if name != "" && path != "" {
				name = "." + name
			}
			if err := counted(v.Field(i), path+name); err != nil {
				return err
			}
		}
	}
	return nil
}
