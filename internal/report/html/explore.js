// Everything works without this: it lets one choose what the plot shows, and
// unfolds all differences at once.
(function () {
  "use strict";
  document.querySelectorAll(".tools, .axes").forEach(function (p) { p.hidden = false; });
  document.addEventListener("click", function (event) {
    var button = event.target.closest("button[data-unfold], button[data-fold]");
    if (!button) return;
    var open = button.hasAttribute("data-unfold");
    document.querySelectorAll("details.change").forEach(function (d) { d.open = open; });
  });
  window.addEventListener("hashchange", function () {
    var target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target) target.focus({ preventScroll: true });
  });
  var plot = document.querySelector(".plot");
  if (!plot) return;
  var b = plot.dataset.box.split(" ").map(Number), box = { left: b[0], right: b[1], top: b[2], bottom: b[3], step: b[4] };
  var x = document.querySelector("[data-axis=x]"), y = document.querySelector("[data-axis=y]");
  var points = Array.from(plot.querySelectorAll(".point"));
  function values(axis) { return points.map(function (p) { var v = p.dataset.v.split(" ")[axis.selectedIndex]; return v === "" ? null : Number(v); }); }
  function known(vs) { return vs.filter(function (v) { return v !== null; }); }
  function at(v, vs, from, to) {
    var low = Math.min.apply(null, known(vs)), high = Math.max.apply(null, known(vs));
    return high === low ? (from + to) / 2 : from + (v - low) / (high - low) * (to - from);
  }
  function tick(name, text) { plot.querySelector("[data-tick=" + name + "]").textContent = text; }
  function draw() {
    var xs = values(x), ys = values(y), before = [];
    points.forEach(function (p, i) {
      var shown = xs[i] !== null && ys[i] !== null;
      p.style.display = shown ? "" : "none";
      if (!shown) return;
      var px = Math.round(at(xs[i], xs, box.left, box.right)), py = Math.round(at(ys[i], ys, box.bottom, box.top));
      var up = 0, hides = function (q) { return Math.abs(px - q[0]) < 2 * box.step && Math.abs(py - up - q[1]) < box.step; };
      while (before.some(hides)) up += box.step;
      before.push([px, py - up]);
      p.setAttribute("transform", "translate(" + px + " " + py + ")");
      p.querySelector("text").setAttribute("transform", "translate(0 " + -up + ")");
    });
    [["x", xs, x], ["y", ys, y]].forEach(function (a) {
      var vs = known(a[1]), text = function (v) { return isFinite(v) ? v.toLocaleString("en-US") : ""; };
      tick(a[0] + "0", text(Math.min.apply(null, vs)));
      tick(a[0] + "1", text(Math.max.apply(null, vs)));
      tick(a[0] + "n", a[2].options[a[2].selectedIndex].text);
    });
  }
  x.addEventListener("change", draw);
  y.addEventListener("change", draw);
})();
