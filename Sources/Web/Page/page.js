// The script of the pages. Without JavaScript, the pages work with forms and links. The server sends hits, sources and
// messages as HTML in which text is escaped.
"use strict";
(() => {
  document.documentElement.classList.add("js");
  const $ = (selector, root = document) => root.querySelector(selector);
  const words = document.body.dataset;
  const form = $("#search");
  const field = form.elements.q;
  const typing = $("#typing");
  const channel = Math.random().toString(36).slice(2);
  let running = null; // The AbortController of the current search.
  let undo = null; // A function that undoes the last change, or null.
  const list = () => $("#hits");
  const rows = () => [...document.querySelectorAll("#hits > li")];
  const fragment = (html) => {
    const template = document.createElement("template");
    template.innerHTML = html;
    return template.content;
  };
  const say = (text) => { const status = $("#status"); if (status) status.textContent = text; };

  // Searching

  const parameters = () => {
    const all = new URLSearchParams(new FormData(form));
    for (const [name, value] of [...all]) if (!value) all.delete(name);
    return all;
  };

  /** Prepares the page for hits, and replaces the contents of other pages, such as the library. */
  function clear(keep) {
    if (!$("#hits") || $("#filter")) {
      $("#main").innerHTML = '<ul id="sources"></ul><p id="status" role="status"></p><ol id="hits" tabindex="-1"></ol><p id="more"></p>';
    }
    $("#more").replaceChildren();
    $("#sources").replaceChildren();
    if (!keep) list().replaceChildren();
  }

  function showHits(hits, fresh) {
    for (const hit of hits) {
      const row = fragment(hit.html).firstElementChild;
      const old = rows().find((other) => other.dataset.id === hit.id);
      if (old) { if (!old.contains(document.activeElement)) old.replaceWith(row); } else list().append(row);
      fresh.add(hit.id);
    }
    list().classList.toggle("grid", rows().length > 0 && rows().every((row) => row.classList.contains("kind-image")));
  }

  function showSource(source) {
    const row = fragment(source.html).firstElementChild;
    const old = [...$("#sources").children].find((other) => other.dataset.source === source.source);
    if (old) old.replaceWith(row); else $("#sources").append(row);
  }

  /** Puts the new hits into the final order, after the earlier hits. Removes new hits that the order does not list. */
  function finish(end, fresh, earlier) {
    const byID = new Map(rows().map((row) => [row.dataset.id, row]));
    const wanted = new Set([...earlier, ...end.order]);
    for (const [id, row] of byID) if (fresh.has(id) && !wanted.has(id)) row.remove();
    let place = rows().filter((row) => earlier.has(row.dataset.id)).pop() || null;
    for (const id of end.order) {
      const row = byID.get(id);
      if (!row || earlier.has(id)) continue;
      const next = place ? place.nextElementSibling : list().firstElementChild;
      if (next !== row) list().insertBefore(row, next);
      place = row;
    }
    for (const id of end.saved || []) {
      const button = byID.get(id) && $(".keep button", byID.get(id));
      if (!button) continue;
      button.value = "remove"; button.setAttribute("aria-pressed", "true"); button.textContent = "★ " + words.saved;
      const tags = $(".keep [name=tags]", byID.get(id));
      if (tags) tags.parentElement.remove();
    }
    $("#status").replaceChildren(fragment(end.status));
    $("#more").replaceChildren(fragment(end.more || ""));
  }

  /** Calls `each` with the object of each JSON line, as soon as the line arrives. */
  async function lines(response, each) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (rest + value).split("\n");
      rest = parts.pop();
      for (const part of parts) if (part) each(JSON.parse(part));
    }
  }

  const pause = (time, signal) => new Promise((resolve) => {
    const timer = setTimeout(resolve, time);
    signal.addEventListener("abort", () => { clearTimeout(timer); resolve(); });
  });

  /** Searches and shows hits as they arrive, and repeats the search until the server and the daemon answer. */
  async function run(query, { more = false, keep = false, typed = false } = {}) {
    if (running) running.abort();
    const { signal } = (running = new AbortController());
    const earlier = new Set(more ? rows().map((row) => row.dataset.id) : []);
    if (typed) query.set("channel", channel);
    for (let wait = 1000; !signal.aborted; wait = Math.min(wait * 2, 10000)) {
      const fresh = new Set();
      let begun = false, ended = false, lost = false;
      const begin = () => { if (!begun) clear(more || keep); begun = true; };
      try {
        if (!typed) say(words.wait);
        const response = await fetch("/stream?" + query, { signal });
        if (response.status === 503) throw new Error("503");
        if (!response.ok) { begin(); say(await response.text()); return; }
        await lines(response, (line) => {
          if (signal.aborted) return;
          if (line.failure) {
            ended = true;
            lost = ["noDaemon", "connectionLost", "shuttingDown"].includes(line.failure.code);
            if (lost || ["superseded", "cancelled"].includes(line.failure.code)) return;
            begin();
            $("#status").replaceChildren(fragment(line.failure.status));
            return;
          }
          begin();
          if (line.hits) showHits(line.hits, fresh);
          if (line.html && line.source) showSource(line);
          if (line.end) { ended = true; finish(line.end, fresh, earlier); }
        });
        if (ended && !lost) return;
      } catch (error) {
        if (signal.aborted) return;
      }
      say(words.lost);
      $("#status").classList.add("error");
      await pause(wait, signal);
      $("#status").classList.remove("error");
    }
  }

  const title = (query) => { document.title = (query.get("q") || "searchd") + " – searchd"; };

  function submit() {
    const query = parameters();
    if (!query.get("q")) return;
    history.pushState(null, "", "/search?" + query);
    title(query);
    run(query);
  }

  form.addEventListener("submit", (event) => { event.preventDefault(); submit(); });
  for (const name of ["categories", "sort"]) form.elements[name].addEventListener("change", () => field.value && submit());
  addEventListener("popstate", () => location.reload());

  typing.checked = localStorage.getItem("typing") === "1";
  typing.addEventListener("change", () => localStorage.setItem("typing", typing.checked ? "1" : "0"));
  field.addEventListener("input", async () => {
    const text = field.value;
    if (typing.checked && text.trim()) {
      const query = parameters();
      history.replaceState(null, "", "/search?" + query);
      run(query, { typed: true });
    }
    if ($("nav [href='/library']") && text.trim()) {
      const headers = { "X-Requested-With": "XMLHttpRequest" };
      const response = await fetch("/autocompleter?q=" + encodeURIComponent(text), { headers }).catch(() => null);
      if (!response || !response.ok || field.value !== text) return;
      $("#words").replaceChildren(...(await response.json()).map((word) => new Option(word, word)));
    }
  });

  $("#main").addEventListener("click", (event) => {
    const link = event.target.closest("#more a");
    if (!link || !link.pathname.startsWith("/search")) return;
    event.preventDefault();
    run(new URLSearchParams(link.search), { more: true });
  });

  // Saving

  /** Sends a form of a hit, and replaces the hit by the HTML in the response. */
  async function change(row, body) {
    const headers = { "X-Requested-With": "XMLHttpRequest" };
    const response = await fetch("/library", { method: "POST", headers, body }).catch(() => null);
    const text = response ? await response.text() : words.unavailable;
    if (!response || !response.ok) return say(text);
    const fresh = fragment(text).firstElementChild;
    const [isCurrent, hadFocus] = [row.classList.contains("current"), row.contains(document.activeElement)];
    fresh.classList.toggle("current", isCurrent);
    // Saved items have no highlights, so the title and the snippet of the search are kept.
    for (const part of ["h3", ".snippet"]) if ($(part, row) && $(part, fresh)) $(part, fresh).replaceWith($(part, row));
    row.replaceWith(fresh);
    if (isCurrent || hadFocus) fresh.focus({ preventScroll: true });
    const done = body.get("do");
    undo = done === "save" ? () => change(fresh, fields(fresh, "remove"))
      : done === "remove" ? () => {
        const items = new URLSearchParams({ do: "restore", items: fresh.dataset.items, id: fresh.dataset.id });
        return change(fresh, items);
      } : null;
    say(done === "remove" ? words.undo + ": u" : done === "restore" ? words.undone : words.saved);
  }

  const fields = (row, action) => new URLSearchParams({ id: row.dataset.id, do: action });

  $("#main").addEventListener("submit", (event) => {
    const form = event.target.closest(".keep form");
    if (!form) return;
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form));
    body.set("do", event.submitter ? event.submitter.value : "write");
    change(form.closest(".hit"), body);
  });

  // Keys

  const current = () => $("#hits > .current");
  function select(row) {
    if (!row) return;
    if (current()) current().classList.remove("current");
    row.classList.add("current");
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }
  function step(by) {
    const all = rows();
    const index = all.indexOf(current()) + by;
    if (index < 0) { field.focus(); return; }
    select(all[Math.min(index, all.length - 1)]);
  }
  const columns = () => {
    const all = rows();
    const next = all.findIndex((row) => row.offsetTop > all[0].offsetTop);
    return list().classList.contains("grid") && next > 0 ? next : 1;
  };
  const open = (selector) => {
    const details = current() && $(".keep details", current());
    if (!details) return;
    details.open = true;
    $(selector, details).focus();
  };
  const cycle = (select) => {
    select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
    if (field.value) submit();
  };
  const follow = (link) => link && location.assign(link.href);
  const keys = {
    "/": () => { field.focus(); field.select(); },
    j: () => step(columns()), ArrowDown: () => step(columns()),
    k: () => step(-columns()), ArrowUp: () => step(-columns()),
    ArrowRight: () => list().classList.contains("grid") && step(1),
    ArrowLeft: () => list().classList.contains("grid") && step(-1),
    g: () => select(rows()[0]), Home: () => select(rows()[0]),
    G: () => select(rows().pop()), End: () => select(rows().pop()),
    Enter: () => { const link = current() && $("h3 a", current()); if (link) link.click(); },
    s: () => { const button = current() && $(".keep button", current()); if (button) button.click(); },
    n: () => open("textarea"), t: () => open("input[name=tags]"),
    u: () => { if (undo) { const back = undo; undo = null; back(); } },
    y: () => { const link = current() && $("h3 a", current()); if (link) navigator.clipboard.writeText(link.href); },
    R: () => follow(current() && $("a.read", current())), r: () => keys.R(),
    o: () => cycle(form.elements.sort), K: () => form.elements.categories.focus(), c: () => form.elements.categories.focus(),
    m: () => { const link = $("#more a"); if (link) link.click(); },
    L: () => follow($("nav [data-key=L]")), l: () => follow($("nav [data-key=L]")),
    "?": () => $("#help").showModal(),
    Escape: () => field.focus(),
  };
  // A Hangul letter is an alias of the Latin letter on the same key.
  const hangul = { "ㄱ": "r", "ㄲ": "R", "ㅓ": "j", "ㅏ": "k", "ㅎ": "g", "ㄴ": "s", "ㅜ": "n", "ㅅ": "t", "ㅕ": "u", "ㅛ": "y", "ㅐ": "o", "ㅊ": "c", "ㅡ": "m", "ㅣ": "l" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || $("dialog[open]")) return;
    const target = event.target;
    if (target.matches("input, textarea, select")) {
      if (event.key === "Escape") { target.blur(); if (current()) current().focus(); else if (target !== field) field.focus(); }
      if (event.key === "ArrowDown" && target === field && rows().length && !field.list?.options.length) { event.preventDefault(); select(current() || rows()[0]); }
      return;
    }
    if (event.key === "Enter" && target.matches("a, button, summary")) return;
    const action = keys[hangul[event.key] || event.key];
    if (!action || !list() && "jkgGsntuyrR".includes(event.key)) return;
    event.preventDefault();
    action();
  });
  document.addEventListener("focusin", (event) => {
    const row = event.target.closest && event.target.closest("#hits > li");
    if (row && row !== current()) { if (current()) current().classList.remove("current"); row.classList.add("current"); }
  });
  $("nav [href='/help']").addEventListener("click", (event) => { event.preventDefault(); $("#help").showModal(); });
  // A picture that cannot be loaded would leave a gap.
  document.addEventListener("error", (event) => { if (event.target.matches?.("#hits img")) event.target.remove(); }, true);

  if ($("#status[data-late]") || $("#status .error")) { if (field.value && location.pathname !== "/library") run(new URLSearchParams(location.search), { keep: true }); }
  else if (!field.value && location.pathname === "/") field.focus();
})();
