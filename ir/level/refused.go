package level

// Timings are fields that no level above the timeline has: what was predicted or
// measured must not become part of a decision.
func Timings() (code, help string, names []string) {
	return "attribute-reserved", "a document of this level holds no time, predicted or measured: leave it out", []string{
		"start", "end", "duration", "latency", "start_ps", "end_ps", "duration_ps", "latency_ps", "start_ns", "end_ns",
		"duration_ns", "latency_ns", "predicted_start", "predicted_end", "predicted_duration", "estimated_start",
		"estimated_end", "estimated_duration", "estimated_latency",
	}
}
