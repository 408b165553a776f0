package schedule

// Needed are the forwards that stages of ops need, without their cores: for
// each value that may be carried, one in every stage between its own and that
// of its farthest reader.
func (p *Problem) Needed(stage []int) []Forward {
	last := make([]int, len(p.Values))
	for v := range last {
		last[v] = Outside
	}
	for _, r := range p.Reads {
		last[r.Value] = max(last[r.Value], stage[r.To])
	}
	var list []Forward
	for v := range p.Values {
		if p.Values[v].Forward == 0 {
			continue
		}
		from := Outside
		if p.Values[v].From != Outside {
			from = stage[p.Values[v].From]
		}
		for s := from + 1; s < last[v]; s++ {
			list = append(list, Forward{Value: v, Stage: s})
		}
	}
	return list
}
