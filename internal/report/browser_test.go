package report

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"plancheck/internal/chart"
	"plancheck/internal/diag"
	"plancheck/internal/example"
	"plancheck/ir"
	"plancheck/rules"
)

// browser starts a Chromium of its own, or skips the test where there is none.
func browser(t *testing.T) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("tests in a browser are left out with -short")
	}
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		t.Skip("no Chromium on this machine: the html report is not tested in a browser")
	}
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.WSURLReadTimeout(time.Minute)}
	for _, flag := range []string{"headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking",
		"disable-component-update", "disable-sync", "no-default-browser-check", "disable-extensions", "hide-scrollbars"} {
		options = append(options, chromedp.Flag(flag, true))
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(func() { chromedp.Cancel(ctx); cancel() })
	return ctx
}

// watch gathers what a page must not do: load, complain, throw, ask.
func watch(ctx context.Context) (complaints func() []string) {
	var mu sync.Mutex
	var said []string
	add := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		said = append(said, fmt.Sprintf(format, args...))
	}
	chromedp.ListenTarget(ctx, func(event any) {
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if e.Type != network.ResourceTypeDocument {
				add("loads %s", e.Request.URL)
			}
		case *runtime.EventConsoleAPICalled:
			add("writes %s to the console", e.Type)
		case *runtime.EventExceptionThrown:
			add("throws %s", e.ExceptionDetails.Error())
		case *log.EventEntryAdded:
			add("logs %s: %s", e.Entry.Level, e.Entry.Text)
		case *page.EventJavascriptDialogOpening:
			add("opens a dialog: %s", e.Message)
			go chromedp.Run(ctx, page.HandleJavaScriptDialog(true))
		}
	})
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(said)
	}
}

// faulty is the run of a built-in network with faults, judged by the rules.
func faulty(t *testing.T, name string) *Run {
	t.Helper()
	built, err := example.Build(name, example.Faulty)
	if err != nil {
		t.Fatal(err)
	}
	plan, ds := ir.DecodePlan(diag.NewSource(name+".json", ir.Encode(built)))
	if plan == nil {
		t.Fatal(ds)
	}
	set, ds := rules.Load(nil)
	if set == nil {
		t.Fatal(ds)
	}
	v, err := set.Judge(context.Background(), plan, rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &Run{Version: "1.2.3", Exit: 1, RuleFiles: set.Files(), Invariants: set.Invariants(), Sentences: set.Sentences(),
		Documents: []Document{{Name: name + ".json", Verdict: v, Chart: chart.Of(plan, v.Findings)}}}
}

// TestPageInBrowser opens pages at the width of a laptop and of a phone, in
// light and in dark.
func TestPageInBrowser(t *testing.T) {
	ctx := browser(t)
	all := runs()
	both := *all["story"]
	both.Documents = append(slices.Clone(both.Documents), all["refused"].Documents...)
	pages := map[string]*Run{"resnet50": faulty(t, "resnet50"), "story": &both, "odd": all["odd"], "weights": all["weights"], "nothing": all["nothing"], "clean": all["clean"]}
	dir := t.TempDir()
	complaints := watch(ctx)
	if err := chromedp.Run(ctx, network.Enable(), log.Enable()); err != nil {
		t.Fatal(err)
	}
	names := make([]string, 0, len(pages))
	for name, run := range pages {
		names = append(names, name)
		if err := os.WriteFile(filepath.Join(dir, name+".html"), []byte(pageOf(t, run)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(names)
	for _, name := range names {
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
					checkKeyboard(ctx, t, name)
					checkContrast(ctx, t)
					if said := complaints()[before:]; len(said) > 0 {
						t.Errorf("the page %s", strings.Join(said, "; "))
					}
				})
			}
		}
	}
}

func ask[T any](ctx context.Context, t *testing.T, script string) T {
	t.Helper()
	var v T
	if err := chromedp.Run(ctx, chromedp.Evaluate(script, &v, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) })); err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return v
}

// checkLayout: nothing reaches beyond the sides, folded or not. A browser on a
// phone zooms out where something does, so it is not asked how wide the page is.
func checkLayout(ctx context.Context, t *testing.T, width int64) {
	t.Helper()
	wide := fmt.Sprintf(`[...document.querySelectorAll("body *")].filter(e => { const r = e.getBoundingClientRect();
		return r.width > 0 && (r.right > %d.5 || r.left < -0.5) }).slice(0, 5).map(e => e.tagName + "." + e.className + ": " + e.textContent.slice(0, 40))`, width)
	for _, unfold := range []string{"", `document.querySelectorAll("details").forEach(d => d.open = true)`} {
		if unfold != "" {
			ask[any](ctx, t, unfold+"; null")
		}
		if over := ask[int](ctx, t, `document.documentElement.scrollWidth`); over > int(width) {
			t.Errorf("the page is %d pixels wide", over)
		}
		if too := ask[[]string](ctx, t, wide); len(too) > 0 {
			t.Errorf("beyond the sides: %q", too)
		}
	}
	ask[any](ctx, t, `document.querySelectorAll("details").forEach(d => d.open = false); null`)
}

// checkKeyboard reaches every proof and every mark with the tab key, unfolds a
// proof, and follows a mark to its finding.
func checkKeyboard(ctx context.Context, t *testing.T, name string) {
	t.Helper()
	ask[any](ctx, t, `document.querySelectorAll("details.why").forEach(d => d.open = true); window.scrollTo(0, 0); document.activeElement.blur(); null`)
	want := ask[int](ctx, t, `[...document.querySelectorAll("a, summary, button")].filter(e => e.checkVisibility()).length`)
	reached, unfolded, followed := 0, 0, 0
	for range want {
		if err := chromedp.Run(ctx, chromedp.KeyEvent(kb.Tab)); err != nil {
			t.Fatal(err)
		}
		kind := ask[string](ctx, t, `(() => { const e = document.activeElement; if (e === document.body || e.dataset.seen) return "";
			e.dataset.seen = 1; if (getComputedStyle(e).outlineStyle === "none") return "invisible";
			return e.matches(".reasons summary") ? "reason" : e.matches("a.mark") ? "mark" : "other" })()`)
		if kind == "invisible" {
			t.Error("the focus cannot be seen")
		}
		if kind != "" {
			reached++
		}
		if kind == "reason" && unfolded == 0 {
			unfolded++
			for _, open := range []bool{true, false} {
				if err := chromedp.Run(ctx, chromedp.KeyEvent(kb.Enter)); err != nil {
					t.Fatal(err)
				}
				if got := ask[bool](ctx, t, `document.activeElement.parentElement.open`); got != open {
					t.Errorf("after the enter key the proof's open is %v", got)
				}
			}
		}
	}
	if reached != want {
		t.Errorf("the tab key reaches %d of %d", reached, want)
	}
	if mark := ask[bool](ctx, t, `!!document.querySelector("a.mark")`); mark {
		followed++
		ask[any](ctx, t, `document.querySelector("a.mark").focus(); null`)
		if err := chromedp.Run(ctx, chromedp.KeyEvent(kb.Enter)); err != nil {
			t.Fatal(err)
		}
		if at := ask[string](ctx, t, `new Promise(done => setTimeout(() => done(document.activeElement.id), 50))`); !strings.Contains(at, "finding") {
			t.Errorf("a mark leads to %q", at)
		}
	}
	switch name {
	case "resnet50", "story":
		if unfolded == 0 || followed == 0 {
			t.Errorf("unfolded %d, followed %d", unfolded, followed)
		}
	}
}

// checkContrast holds all text against WCAG 2.2, 1.4.3: 4.5 to 1 (3 to 1 for
// large text is not made use of), with the formula of its relative luminance.
func checkContrast(ctx context.Context, t *testing.T) {
	t.Helper()
	const script = `(() => {
		document.querySelectorAll("details").forEach(d => d.open = true);
		const rgb = c => c.match(/[\d.]+/g).map(Number);
		const light = c => { const [r, g, b] = c.slice(0, 3).map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b };
		const back = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] === 1) return c } return [255, 255, 255] };
		const bad = new Set(); let n = 0;
		const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		for (let node; node = walker.nextNode();) {
			const e = node.parentElement;
			if (!node.data.trim() || !e.checkVisibility() || e.tagName === "SCRIPT") continue;
			n++;
			const a = light(rgb(getComputedStyle(e).color)), b = light(back(e));
			const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
			if (ratio < 4.5) bad.add(e.tagName + "." + e.className + " " + ratio.toFixed(2));
		}
		return n < 3 ? ["only " + n + " texts"] : [...bad];
	})()`
	if bad := ask[[]string](ctx, t, script); len(bad) > 0 {
		t.Errorf("too little contrast: %q", bad)
	}
}
