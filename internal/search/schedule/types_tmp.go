package schedule
type Progress struct { Found bool; Cost Cost; Bound int64 }
type Sum struct{}
