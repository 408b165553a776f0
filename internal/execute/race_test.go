//go:build race

package execute

const raceEnabled = true
