package report

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestExplorePageInBrowser opens pages of schedules at the width of a laptop and
// of a phone, in light and in dark.
func TestExplorePageInBrowser(t *testing.T) {
	ctx := browser(t)
	complaints := watch(ctx)
	if err := chromedp.Run(ctx, network.Enable(), log.Enable()); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	pages := explorations()
	for name, x := range pages {
		if err := os.WriteFile(filepath.Join(dir, name+".html"), []byte(explorePageOf(t, x)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		for _, width := range []int64{1280, 390} {
			for _, scheme := range []string{"light", "dark"} {
				t.Run(fmt.Sprintf("%s/%d/%s", name, width, scheme), func(t *testing.T) {
					before := len(complaints())
					err := chromedp.Run(ctx,
						emulation.SetDeviceMetricsOverride(width, 900, 1, width < 500),
						emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
						chromedp.Navigate("file://"+filepath.Join(dir, name+".html")),
						chromedp.WaitReady("body"))
					if err != nil {
						t.Fatal(err)
					}
					checkLayout(ctx, t, width)
					columns := ask[int](ctx, t, `new Set([...document.querySelectorAll(".schedule")].map(e => e.getBoundingClientRect().left)).size`)
					if want := len(pages[name].Schedules); (width > 1000 && columns < min(want, 3)) || width < 500 && columns != 1 {
						t.Errorf("%d schedules side by side", columns)
					}
					reached := ask[int](ctx, t, `(document.activeElement.blur(), window.scrollTo(0, 0),
						document.querySelectorAll("a, summary, button, select").length && [...document.querySelectorAll("a, summary, button, select")].filter(e => e.checkVisibility()).length)`)
					for range reached {
						if err := chromedp.Run(ctx, chromedp.KeyEvent(kb.Tab)); err != nil {
							t.Fatal(err)
						}
						switch got := ask[string](ctx, t, `(() => { const e = document.activeElement; if (e === document.body || e.dataset.seen) return "again";
							e.dataset.seen = 1; return getComputedStyle(e).outlineStyle === "none" ? "unseen" : "" })()`); got {
						case "again":
							t.Fatalf("the tab key does not reach all %d", reached)
						case "unseen":
							t.Error("the focus cannot be seen")
						}
					}
					checkContrast(ctx, t)
					if said := complaints()[before:]; len(said) > 0 {
						t.Errorf("the page %s", strings.Join(said, "; "))
					}
				})
			}
		}
	}
	t.Run("keys", func(t *testing.T) {
		if err := chromedp.Run(ctx, chromedp.Navigate("file://"+filepath.Join(dir, "current.html")), chromedp.WaitReady("body")); err != nil {
			t.Fatal(err)
		}
		press := func(element, key string) {
			t.Helper()
			ask[any](ctx, t, fmt.Sprintf(`document.querySelector(%q).focus(); null`, element))
			if err := chromedp.Run(ctx, chromedp.KeyEvent(key)); err != nil {
				t.Fatal(err)
			}
		}
		press(`.point[href="#schedule-2"]`, kb.Enter)
		if at := ask[string](ctx, t, `new Promise(done => setTimeout(() => done(document.activeElement.id), 50))`); at != "schedule-2" {
			t.Errorf("a point leads to %q", at)
		}
		press(".change summary", kb.Enter)
		if n := ask[int](ctx, t, `document.querySelectorAll(".change[open]").length`); n != 1 {
			t.Errorf("%d differences are open after the enter key", n)
		}
		press(".guide summary", kb.Enter)
		press("[data-unfold]", kb.Enter)
		if n := ask[int](ctx, t, `document.querySelectorAll(".change:not([open])").length`); n != 0 {
			t.Errorf("%d differences stay folded", n)
		}
		// By traffic, the plan as it is has no place; schedule 2 has the most.
		const places = `[...document.querySelectorAll(".point")].map(p => getComputedStyle(p).display === "none" ? "" : p.getAttribute("transform")).join(";")`
		if got, want := ask[string](ctx, t, places), "translate(560 70);translate(150 70);translate(150 310);translate(157 70)"; got != want {
			t.Errorf("points at %s, want %s", got, want)
		}
		ask[any](ctx, t, `document.querySelector("[data-axis=x]").selectedIndex = 2; document.querySelector("[data-axis=x]").dispatchEvent(new Event("change")); null`)
		if got, want := ask[string](ctx, t, places), ";translate(150 70);translate(560 310);translate(150 70)"; got != want {
			t.Errorf("by traffic points at %s, want %s", got, want)
		}
		if got := ask[string](ctx, t, `["x0", "x1", "xn", "y0", "yn"].map(n => document.querySelector("[data-tick=" + n + "]").textContent).join(" ")`); got != "5,000 9,000 traffic 0 forwards" {
			t.Errorf("the axes say %q", got)
		}
		ask[any](ctx, t, `document.querySelector("[data-axis=x]").selectedIndex = 0; document.querySelector("[data-axis=x]").dispatchEvent(new Event("change")); null`)
		if got, want := ask[string](ctx, t, places), "translate(560 70);translate(150 70);translate(150 310);translate(157 70)"; got != want {
			t.Errorf("drawn again points are at %s, want %s", got, want)
		}
	})
}
