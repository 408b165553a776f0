// Package derive makes the document of one level from that of the level above.
// Each pass removes one unknown and adds only what its level owns.
package derive
