// Package scheduletest is the measure of schedule's tests: random problems that
// have everything in them, a judge that says anew what is legal and what it
// costs, and the least cost by trying all assignments. It shares no code with
// the search; only tests use it.
package scheduletest
