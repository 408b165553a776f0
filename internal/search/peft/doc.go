// Package peft is a list scheduler, Predict Earliest Finish Time: it gives every
// lane of every task a core and a time, and knows of no stages. It works on
// numbers and knows nothing of plans.
//
// An optimistic cost table says, for a task and a core, how long the rest of the
// way to an exit takes at least after the task has run there. Of the tasks whose
// sources are all scheduled, the one with the greatest sum of its row goes
// first, and each of its lanes to the core where its finish plus the table's
// entry is least, in the first gap that is long enough.
//
// The method is that of Arabnejad and Barbosa, "List Scheduling Algorithm for
// Heterogeneous Systems by an Optimistic Cost Table", IEEE Transactions on
// Parallel and Distributed Systems 25(3), 2014; lanes are added to it here. All
// arithmetic is exact: ranks are compared as sums instead of averages.
package peft
