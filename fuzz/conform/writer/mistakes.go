package writer

import (
	"context"

	"github.com/picaproof/picaproof/fuzz/report"
)

func (s *session) defects(ctx context.Context, counts *report.Counts) []report.Deviation  { return nil }
func (s *session) mistakes(ctx context.Context, counts *report.Counts) []report.Deviation { return nil }
