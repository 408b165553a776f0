package datalog

import (
	"context"
	"errors"
	"time"

	"plancheck/internal/diag"
)

// grown counts a new row and holds the evaluation to its limits.
func (db *Database) grown(ctx context.Context, r *rule, rel *relation) error {
	db.derived++
	if db.derived&0xfff == 0 || db.limits.Facts > 0 && db.derived > db.limits.Facts ||
		db.limits.Bytes > 0 && db.syms.Bytes() > db.limits.Bytes {
		return db.hold(ctx, r, rel)
	}
	return nil
}

// hold checks the limits.
func (db *Database) hold(ctx context.Context, r *rule, rel *relation) error {
	if db.limits.Facts > 0 && db.derived > db.limits.Facts {
		return r.error("rule-limit", "the rules derive more than %d facts; this rule was growing (%s)", db.limits.Facts, diag.Counted(rel.n, "row"))
	}
	if db.halt.Load() {
		return db.timedOut(ctx, r)
	}
	return db.holdBytes(r, 0)
}

// holdBytes checks the limit on memory; extra is what a rule holds beside its rows.
func (db *Database) holdBytes(r *rule, extra int64) error {
	if db.limits.Bytes > 0 && db.bytes()+extra > db.limits.Bytes {
		return r.error("rule-limit", "the rules need more than %d MB of memory; this rule was growing (%s)", db.limits.Bytes>>20, diag.Counted(db.relation(r.pred).n, "row"))
	}
	return nil
}

func (db *Database) bytes() int64 {
	n := db.syms.Bytes()
	for _, rel := range db.rels {
		n += rel.bytes()
	}
	return n
}

// timedOut tells a time limit from an interruption by the caller.
func (db *Database) timedOut(ctx context.Context, r *rule) error {
	if db.limits.Time > 0 && time.Since(db.began) >= db.limits.Time {
		return r.error("rule-limit", "the rules take longer than %v; this rule was being evaluated (%s)", db.limits.Time, diag.Counted(db.relation(r.pred).n, "row"))
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return r.error("rule-limit", "time ran out while this rule was being evaluated (%s)", diag.Counted(db.relation(r.pred).n, "row"))
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return errHalted
}
