package jsonedit

// step is one item of a list that was, or is to be: both numbers for one that
// stays, though it may have changed inside; -1 for was where it is new, and for
// is where it goes.
type step struct{ was, is int }

// align tells which items of a list stay, which go and which are new. Items stay
// in order. They stay where they are, with new ones behind them, unless what they
// say tells otherwise; then items stay that have the same name.
func align(was, is []string, same bool) []step {
	if same {
		var steps []step
		for j := range is {
			if j < len(was) {
				steps = append(steps, step{j, j})
			} else {
				steps = append(steps, step{-1, j})
			}
		}
		return steps
	}
	left := map[string]int{} // how often a name is still to come among those that are to be
	for _, name := range is {
		left[name]++
	}
	before := map[string]int{} // and among those that were
	for _, name := range was {
		before[name]++
	}
	var steps []step
	i, j := 0, 0
	for i < len(was) || j < len(is) {
		switch {
		case i == len(was):
			steps = append(steps, step{-1, j})
			j++
		case j == len(is):
			steps = append(steps, step{i, -1})
			i++
		case was[i] == is[j]:
			left[is[j]]--
			before[was[i]]--
			steps = append(steps, step{i, j})
			i, j = i+1, j+1
		case left[was[i]] == 0 && before[is[j]] == 0: // renamed
			left[is[j]]--
			before[was[i]]--
			steps = append(steps, step{i, j})
			i, j = i+1, j+1
		case left[was[i]] == 0 || left[was[i]] < before[was[i]]:
			before[was[i]]--
			steps = append(steps, step{i, -1})
			i++
		default:
			left[is[j]]--
			steps = append(steps, step{-1, j})
			j++
		}
	}
	return steps
}

// inPlace says whether no item is gone, as far as their texts can tell: no more
// of them would stay as they are if some had moved.
func inPlace(was, is []string) bool {
	if len(is) < len(was) {
		return false
	}
	left := map[string]int{}
	for _, text := range is {
		left[text]++
	}
	same, stay := 0, 0
	for i, text := range was {
		if is[i] == text {
			same++
		}
		if left[text] > 0 {
			left[text]--
			stay++
		}
	}
	return same >= stay
}
