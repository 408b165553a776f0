//go:build !race

package execute

const raceEnabled = false
