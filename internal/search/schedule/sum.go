package schedule

import "plancheck/internal/search/partition"

// sum puts the relaxed problem's sum in the words of ours; nil where it has none.
func (l *layers) sum(p *partition.Problem, r *partition.Result) *Sum { return nil }
