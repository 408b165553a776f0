package peft

// optimistic returns the optimistic cost table, for each task and kind of core,
// and the rank of each task, which is the sum of its row over all cores.
//
// The entry of a task and a core is, over the readers of the task, the most of
// what each takes at least: over all cores the least of its own entry, its
// cycles and, on another core, the communication. That is the same for all cores
// of a kind: of those of the reader's own kind, the same core is the cheapest.
// Of a task with lanes the communication is that of its largest slice, as one
// lane's slice is what has to leave its core.
func (w *net) optimistic() (table [][]int64, rank []int64) {
	n := len(w.p.Tasks)
	table, rank = make([][]int64, n), make([]int64, n)
	entries := make([]int64, n*w.kinds)
	least := make([]int64, n) // over all cores, of cycles and entry
	for i := n - 1; i >= 0; i-- {
		t := w.topo[i]
		row := entries[t*w.kinds : (t+1)*w.kinds : (t+1)*w.kinds]
		for _, e := range w.out[t] {
			comm := share(e.Comm, 0, w.p.Tasks[t].Lanes)
			reader := &w.p.Tasks[e.To]
			for k := range row {
				row[k] = max(row[k], min(reader.Cycles[k]+table[e.To][k], least[e.To]+comm))
			}
		}
		first := true
		for k, cores := range w.cores {
			if cores == 0 {
				continue
			}
			rank[t] += cores * row[k]
			if own := w.p.Tasks[t].Cycles[k] + row[k]; first || own < least[t] {
				least[t], first = own, false
			}
		}
		table[t] = row
	}
	return table, rank
}
