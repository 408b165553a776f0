// Everything works without this: it only opens the proof that a link of the
// chart leads to, and unfolds all proofs at once.
(function () {
  "use strict";
  function reveal() {
    var id = decodeURIComponent(location.hash.slice(1));
    var target = id && document.getElementById(id);
    if (!target) return;
    var why = target.querySelector("details.why");
    if (why) why.open = true;
    target.focus({ preventScroll: true });
  }
  window.addEventListener("hashchange", reveal);
  reveal();
  document.querySelectorAll(".tools").forEach(function (p) { p.hidden = false; });
  document.addEventListener("click", function (event) {
    var button = event.target.closest("button[data-unfold], button[data-fold]");
    if (!button) return;
    var open = button.hasAttribute("data-unfold");
    button.closest("section").querySelectorAll(".reasons details:not(.source)").forEach(function (d) { d.open = open; });
  });
})();
