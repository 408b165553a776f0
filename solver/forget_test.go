package solver

import "testing"

// A conflict under an assumption may be one of the clauses alone, which gini
// does not tell. It is to be seen by the next call; gini by itself fails on its
// own model there.
func TestConflictOfTheClausesIsSeenLater(t *testing.T) {
	s := New()
	s.Vars(90)
	for _, clause := range [][]Lit{
		{1, -2}, {3, -4}, {3, -5}, {-1, -66}, {66, -67}, {-2, -68}, {67, 68, -69}, {68, -70},
		{67, -70}, {-3, -71}, {69, 71, -72}, {70, 71, -73}, {69, 70, -73}, {71, -74}, {70, -74},
		{4, -75}, {72, 75, -76}, {73, 75, -77}, {72, 73, -77}, {74, 75, -78}, {73, 74, -78}, {78},
		{1, -79}, {79, -80}, {2, -81}, {80, 81, -82}, {81, -83}, {80, -83}, {71, 82, -84},
		{71, 83, -85}, {82, 83, -85}, {71, -86}, {83, -86}, {-4, -87}, {84, 87, -88},
		{85, 87, -89}, {84, 85, -89}, {86, 87, -90}, {85, 86, -90}, {90},
	} {
		if err := s.Add(Always, clause...); err != nil {
			t.Fatal(err)
		}
	}
	for _, assumptions := range [][]Lit{{5}, {}} {
		a, err := s.Solve(t.Context(), nil, assumptions...)
		if err != nil || a.Status != Unsat {
			t.Fatalf("under %v: %v, %v", assumptions, a.Status, err)
		}
	}
}
