// SPDX-License-Identifier: Apache-2.0
// The live page of a box: asks once a second and after each event, shows, and does what people press.

import { Events, ask } from "./api.js";
import { Counters, decibels, kilobits, milliseconds, percent, ppm } from "./counters.js";
import { LineUp, part } from "./lineup.js";
import { admitted } from "./login.js";
import { restartPicture, showPicture } from "./picture.js";
import { Plot } from "./plots.js";
import { Settings } from "./settings.js";
import { SyncPanel } from "./sync.js";
import { wearTheme } from "./theme.js";

await admitted();
wearTheme();

const element = (id) => document.getElementById(id);
const show = (id, text) => {
  if (element(id).textContent !== text) element(id).textContent = text;
};
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
const state = { status: undefined, stage: undefined, position: undefined, stats: undefined, region: undefined };

// MARK: Messages

function complain(error) {
  if (error.isLink) return; // the connection's own sign says so
  element("message").hidden = false;
  show("message-text", error.message);
}
function dismiss() {
  element("message").hidden = true;
  show("message-text", "");
}

// MARK: Commands

async function command(name, body = {}) {
  try {
    const answer = await ask(name, isOfRegion(name) ? { ...body, region: state.region } : body);
    dismiss();
    return answer;
  } catch (error) {
    complain(error);
    return undefined;
  } finally {
    refreshSoon();
  }
}
const isOfRegion = (name) => state.region !== undefined && !["volume", "mute", "layout", "audio-region"].includes(name);
const tune = (channel) => command("tune", { channel });
const setVolume = (volume) => command("volume", { volume: Math.max(0, Math.min(100, volume)) });

const actions = {
  rewind: () => command("rewind", { ms: 20_000 }),
  back: () => command("seek-relative", { ms: -5_000 }),
  forth: () => command("seek-relative", { ms: 5_000 }),
  pause: () => command(state.isPaused ? "play" : "pause"),
  live: () => command("live"),
  stop: () => command("stop"),
  mute: () => command("mute", { state: state.status?.isMuted ? "off" : "on" }),
  up: () => command("channel-up"),
  down: () => command("channel-down"),
  louder: () => setVolume((state.status?.volume ?? 0) + 5),
  softer: () => setVolume((state.status?.volume ?? 0) - 5),
};

// MARK: What is shown

const lineUp = new LineUp(element("list"), element("list-note"), element("group"), (channel) => tune(channel.id));
const counters = new Counters(element("counter-list"));
const settings = new Settings({
  fold: element("settings-fold"), filter: element("setting-filter"), list: element("setting-list"), form: element("setting"),
  title: element("setting-title"), about: element("setting-about"), value: element("setting-value"),
  check: element("setting-check"), reset: element("setting-reset"), answer: element("setting-answer"),
});
const sync = new SyncPanel(element("sync"), element("sync-plot"));
const FLOOR = -6000; // centidecibels, the least that a plot shows
const plots = [
  ["Received", kilobits, [0, 1000], (now, before, span) => rate(now, before, span, "octets", "reception") * 8 / 1000],
  ["RTP lost", (value) => `${value.toFixed(1)} /s`, [0, 5], (now, before, span) => rate(now, before, span, "lostPackets", "reception")],
  ["Jitter, peak", milliseconds, [0, 5000], (now) => now.reception?.clockPeakJitterUs],
  ["Clock drift", ppm, [-20_000, 20_000], (now) => now.reception?.clockDriftPPB],
  ["Pictures", (value) => `${value.toFixed(1)} /s`, [0, 25], (now, before, span) => rate(now, before, span, "picturesPresented", "stage")],
  ["A/V offset", milliseconds, [-20_000, 20_000], (now) => now.avOffsetUs],
  ["Decoding takes", percent, [0, 1000], (now) => now.playback?.decodeLoad],
  ["Sound level", (value) => decibels(value > FLOOR ? value : -Infinity), [FLOOR, 0], (now) => Math.max(now.sound?.rmsCentidecibels, FLOOR)],
].map(([title, describe, floor, value]) => [new Plot(element("plot-list"), title, describe, floor), value]);

function rate(now, before, span, name, group) {
  const [new_, old] = [now[group]?.[name], before?.[group]?.[name]];
  return span > 0 && old !== undefined && new_ >= old ? (new_ - old) / span : undefined;
}

/// Called when the position is there: until then the new name would stand beside the state of what played before.
function showPlaying() {
  show("playing-name", region().channel ?? "nothing plays");
  state.isPaused = region().isOpen && (state.position?.isPaused ?? false);
  show("playing-state", state.isPaused ? "pause" : region().playerState ?? "stop");
  element("pause").querySelector("span").textContent = state.isPaused ? "Play" : "Pause";
  element("pause").querySelector("b").textContent = state.isPaused ? "▶" : "❚❚";
}

function showStatus(status) {
  const before = state.status;
  if (before && status.uptimeMs < before.uptimeMs) events.restart();
  state.status = status;
  show("box-name", status.boxName || status.boxId);
  const parts = [status.address, `version ${status.version}`, status.output, `up ${duration(status.uptimeMs)}`];
  show("box-facts", [...parts, status.serviceReason ?? ""].filter(Boolean).join(" · "));
  document.title = status.channel ? `${status.channel} – Touchline` : "Touchline";
  showRegions();
  lineUp.playing = region().channel;
  element("mute").setAttribute("aria-pressed", String(status.isMuted));
  show("volume-text", String(status.volume));
  if (document.activeElement !== element("volume")) element("volume").value = status.volume;
}

function duration(ms) {
  const minutes = Math.floor(ms / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/// What the box says of its regions; one that says nothing has one.
const regions = () => state.stage?.regions.map((row) => ({ ...row, channel: row.plays, isOpen: row.session != null }))
  ?? [{ ...state.status, name: "main" }];
/// The one that commands go to.
const region = () => regions().find(({ name }) => name === (state.region ?? "main")) ?? {};

/// A line stays while what it says changes: a press of the mouse that began on its button ends on the same one.
function showRegions() {
  if (!regions().some(({ name }) => name === state.region)) state.region = undefined;
  const rows = regions(), list = element("region-list");
  const names = (items, name) => JSON.stringify([...items].map(name));
  if (names(rows, ({ name }) => name) !== names(list.children, ({ dataset }) => dataset.region))
    list.replaceChildren(...rows.map(({ name }) => regionLine(name)));
  rows.forEach((row, index) => fillRegion(list.children[index], row));
}

function regionLine(name) {
  const line = document.createElement("li");
  line.dataset.region = name;
  const button = part("button", "", name);
  button.type = "button";
  button.title = "Commands go to this region";
  button.onclick = () => {
    state.region = name === "main" ? undefined : name;
    refreshSoon();
  };
  line.append(button, part("bdi", "", ""), part("span", "chip", ""), hearButton(name));
  return line;
}

function fillRegion(line, region) {
  const [choose, channel, player, hear] = line.children;
  choose.setAttribute("aria-pressed", String(region.name === (state.region ?? "main")));
  channel.textContent = region.channel ?? "–";
  player.textContent = region.playerState ?? "stop";
  hear.setAttribute("aria-pressed", String(!region.isMuted));
  hear.hidden = !state.stage;
}

function hearButton(name) {
  const button = part("button", "", "Hear");
  button.type = "button";
  button.setAttribute("aria-label", `Hear ${name} alone`);
  button.onclick = () => command("audio-region", { region: name });
  return button;
}

function showLayouts(layouts) {
  const select = element("layout");
  select.disabled = false;
  if (document.activeElement === select) return;
  select.replaceChildren(...layouts.map(({ name, isShown }) => new Option(name, name, isShown, isShown)));
}

function showPosition(position) {
  state.position = position;
  const slider = element("place");
  const isFile = Number.isInteger(position?.durationMs);
  slider.disabled = !position;
  if (!position) return show("place-text", "no history");
  if (document.activeElement !== slider || !slider.matches(":active")) {
    slider.min = isFile ? 0 : -Math.max(position.availableMs, 1);
    slider.max = isFile ? position.durationMs : 0;
    slider.value = isFile ? position.progressMs : -position.offsetMs;
  }
  const text = isFile ? `${seconds(position.progressMs)} of ${seconds(position.durationMs)}`
    : position.offsetMs > 0 ? `${seconds(position.offsetMs)} behind live, of ${seconds(position.availableMs)}`
      : `live, ${seconds(position.availableMs)} to go back`;
  show("place-text", text);
  slider.setAttribute("aria-valuetext", text);
}

function showStats(all) {
  const stats = { ...all, ...all.regions?.[state.region] };
  const before = state.stats;
  const now = performance.now();
  stats.position = state.position;
  if (stats.sound && stats.stage && stats.playback) {
    stats.avOffsetUs = stats.sound.audioErrorUs - stats.stage.pictureErrorUs;
  }
  const isSame = before && before.playing === region().session && before.region === state.region;
  const span = isSame ? (now - before.at) / 1000 : 0;
  for (const [plot, value] of plots) plot.add(value(stats, before, span));
  counters.show(stats, before, span);
  state.stats = { ...stats, at: now, playing: region().session, region: state.region };
  if (element("all").open) show("all-counters", JSON.stringify(all, undefined, 1));
}

// MARK: Asking

async function refresh() {
  const status = await ask("status");
  if (status.layout !== undefined) {
    state.stage = await ask("regions");
    if (!element("layout").options.length || state.layout !== status.layout) showLayouts((await ask("layouts")).layouts);
    state.layout = status.layout;
  }
  showStatus(status);
  const query = state.region === undefined ? "" : `?region=${encodeURIComponent(state.region)}`;
  // Between two answers it may have been closed: then there is no position, which is no news.
  showPosition(region().isOpen ? await ask(`position${query}`).catch(() => undefined) : undefined);
  showPlaying();
  sync.show(await ask("sync"));
}

/// One at a time, and one more when something happens meanwhile.
let isRefreshing = false, isWanted = false;
async function refreshSoon() {
  isWanted = true;
  if (isRefreshing) return;
  isRefreshing = true;
  while (isWanted) {
    isWanted = false;
    try { await refresh(); } catch (error) { complain(error); }
  }
  isRefreshing = false;
}

const CHANNELS_PAUSE = 150; // ms from one answer to the next question
let areAsked = false, areWanted = false;
/// At once, and once more after a pause when channels change meanwhile, however often they do.
async function refreshChannels() {
  areWanted = true;
  if (areAsked) return;
  areAsked = true;
  while (areWanted) {
    areWanted = false;
    try { lineUp.channels = (await ask("channels")).channels; } catch (error) { complain(error); }
    await new Promise((resolve) => { setTimeout(resolve, CHANNELS_PAUSE); });
  }
  areAsked = false;
}

function showStreamers(streamers) {
  element("streamers").replaceChildren(...streamers.map((streamer) => {
    const row = document.createElement("tr");
    const age = `${seconds(streamer.sinceLastHeardMs)} ago`;
    for (const text of [streamer.name || streamer.id, streamer.address, streamer.version ?? "–", streamer.channelCount, age,
      streamer.lastFault ?? ""]) {
      row.insertCell().append(part("bdi", "", text));
    }
    return row;
  }));
}

async function everySecond() {
  if (!document.hidden) {
    await refreshSoon();
    if (element("head-ends").open) await ask("streamers?refused=true").then(({ streamers }) => showStreamers(streamers), complain);
    try {
      const { stats } = await ask("stats");
      if (counters.isNews(stats)) counters.describe((await ask("stats?describe=true")).stats, stats);
      showStats(stats);
      sync.sample();
    } catch (error) { complain(error); }
  }
  setTimeout(everySecond, 1000);
}

// MARK: Events

const lines = [];
const KEPT = 400;
function log(time, type, detail, className = "") {
  lines.unshift({ time, type, detail, className });
  lines.length = Math.min(lines.length, KEPT);
  if (isShown(lines[0])) {
    element("event-list").prepend(drawn(lines[0]));
    if (element("event-list").childElementCount > KEPT) element("event-list").lastElementChild.remove();
  }
}
function isShown({ type, detail }) {
  if (type === "session.progress" && !element("with-progress").checked) return false;
  const wanted = element("event-filter").value.toLowerCase();
  return wanted === "" || `${type} ${detail}`.toLowerCase().includes(wanted);
}
function drawn({ time, type, detail, className }) {
  const line = part("li", className, "");
  const stamp = part("time", "", time.slice(11, 23));
  stamp.dateTime = time;
  line.append(stamp, " ", part("b", "", type), " ", part("bdi", "", detail));
  return line;
}
function drawEvents() { element("event-list").replaceChildren(...lines.filter(isShown).map(drawn)); }
element("with-progress").onchange = drawEvents;
element("event-filter").oninput = drawEvents;

const brief = (value) => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 157)}…` : text;
};
const events = new Events({
  told(event) {
    const detail = Object.entries(event.payload ?? {}).map(([name, value]) => `${name}=${brief(value)}`).join(" ");
    log(event.time ?? "", event.type, detail, event.type.endsWith(".fail") ? "fail" : "");
    if (event.type.startsWith("channels.")) refreshChannels();
    if (["service.settingsChanged", "service.orderAccepted"].includes(event.type)) {
      settings.refresh();
      wearTheme();
    }
    if (event.type !== "session.progress") refreshSoon();
  },
  lost(count) { log(new Date().toISOString(), "lost", `${count} events, this page was too slow for them`, "lost"); },
  linked(isLinked) {
    show("link", isLinked ? "connected" : "no connection");
    element("link").className = `chip ${isLinked ? "good" : "bad"}`;
    if (!isLinked) return;
    wearTheme();
    restartPicture();
    refreshChannels();
    refreshSoon();
  },
});

// MARK: Hands

for (const button of document.querySelectorAll("[data-do]")) button.onclick = () => actions[button.dataset.do]();
element("message-close").onclick = dismiss;
element("help-open").onclick = () => element("help").showModal();
element("layout").onchange = ({ target }) => {
  command("layout", { name: target.value });
  target.blur();
};
element("volume").onchange = ({ target }) => setVolume(Number(target.value));
element("volume").oninput = ({ target }) => show("volume-text", target.value);
element("place").onchange = ({ target }) => command(
  "seek-absolute", { ms: Number.isInteger(state.position?.durationMs) ? Number(target.value) : -Number(target.value) });

const keysOn = element("keys-on");
keysOn.checked = localStorage.getItem("keys") !== "off";
keysOn.onchange = () => localStorage.setItem("keys", keysOn.checked ? "on" : "off");

const DIGITS_TIMEOUT = 1500; // ms for the next digit
let digitsTimer;
function digit(key) {
  clearTimeout(digitsTimer);
  show("digits", (element("digits").textContent + key).slice(-4));
  digitsTimer = setTimeout(tuneDigits, DIGITS_TIMEOUT);
}
function tuneDigits() {
  clearTimeout(digitsTimer);
  const number = element("digits").textContent;
  show("digits", "");
  if (number !== "") tune(String(Number(number)));
}

const keys = {
  ArrowUp: () => lineUp.move(-1), ArrowDown: () => lineUp.move(1), ArrowLeft: actions.back, ArrowRight: actions.forth,
  PageUp: actions.up, PageDown: actions.down, " ": actions.pause, r: actions.rewind, l: actions.live, s: actions.stop,
  m: actions.mute, "+": actions.louder, "-": actions.softer, "?": () => element("help").showModal(),
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  const isInList = event.target === element("list");
  if (event.key === "Escape") return dismiss();
  if (event.key === "Enter" && element("digits").textContent !== "") {
    event.preventDefault();
    return tuneDigits();
  }
  if (event.key === "Enter" && isInList) return lineUp.choose();
  const isOurs = isInList && event.key.startsWith("Arrow") || keysOn.checked;
  if (!isOurs || event.target.matches("input, select, textarea, [contenteditable]")) return;
  if (event.target.matches("button, summary") && (event.key === " " || event.key === "Enter")) return;
  const scrolls = event.target.matches("#event-list, #all-counters");
  if (scrolls && /^(Arrow|Page| )/.test(event.key)) return;
  const action = /^[0-9]$/.test(event.key) ? () => digit(event.key) : keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

showPicture(element("moving"), element("still"));
refreshChannels();
everySecond();
