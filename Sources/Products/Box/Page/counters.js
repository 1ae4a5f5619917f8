// SPDX-License-Identifier: Apache-2.0
// The statistics in words. What there is, its unit and what it counts is declared by the engine that counts it and comes
// from `touchline stats --describe`; what a box does not say is a dash.

const count = (value) => Math.round(value).toLocaleString("en");
const fixed = (value, digits) => value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
export const milliseconds = (us) => `${fixed(us / 1000, 1)} ms`;
export const ppm = (ppb) => `${fixed(ppb / 1000, 1)} ppm`;
const hertz = (micro) => (micro > 0 ? `${fixed(micro / 1e6, 3)} Hz` : "unknown");
export const kilobits = (value) => `${count(value)} kbit/s`;
export const decibels = (centi) => (centi <= -12000 ? "silent" : `${fixed(centi / 100, 1)} dBFS`);
export const percent = (permille) => `${fixed(permille / 10, 1)} %`;
const units = {
  us: milliseconds, ms: (value) => `${count(value)} ms`, s: (value) => `${count(value)} s`, ppb: ppm, uHz: hertz,
  "per mille": percent, "0.01 dB": decibels,
};

/// `lostPackets`: Lost packets.
const words = (name) => {
  const text = name.replace(/(Us|Ms|PPB|PPM|Octets|Centidecibels|MicroHertz)$/, (unit) => (unit === "Octets" ? " octets" : ""))
    .replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().replace(/\b(ts|pcr|ssrc|pts|rtp|igmp|json)\b/g, (short) => short.toUpperCase());
  return text[0].toUpperCase() + text.slice(1);
};

const describe = ({ kind, unit, states }) => {
  if (kind === "text") return String;
  if (states) return (value) => states[value] ?? String(value);
  return units[unit] ?? count;
};

/// Of a group's description: those of the page, in the order of their declaration.
const rowsOf = (group, members) => Object.entries(members)
  .filter(([, about]) => about.isOnPage)
  .sort(([, one], [, other]) => one.order - other.order)
  .map(([name, about]) => ({
    path: `${group}.${name}`, label: words(name), help: about.help, describe: describe(about),
    isTotal: about.kind === "counter", isFault: about.isFault,
  }));

/// What is no statistic of an engine: the playback clock, and a difference of two.
const more = ["Playback clock", [
  { path: "position.offsetMs", label: "Behind live", help: "Of the playback clock.", describe: (ms) => `${fixed(ms / 1000, 1)} s` },
  { path: "position.availableMs", label: "History", help: "That can be gone back.", describe: (ms) => `${fixed(ms / 1000, 1)} s` },
  { path: "avOffsetUs", label: "A/V offset", help: "By which sound is later than pictures.", describe: milliseconds },
]];

/// Groups that come first, in their order; the others follow.
const FIRST = ["reception", "playback", "session", "stage"];
const place = (group) => (FIRST.includes(group) ? FIRST.indexOf(group) : FIRST.length);

const at = (stats, path) => path.split(".").reduce((place, name) => place?.[name], stats);
const groupsOf = (stats) => Object.keys(stats).filter((name) => stats[name] && typeof stats[name] === "object").sort().join();

/// The tables on the page: rows are made when they are described, values change.
export class Counters {
  #rows = [];
  #parent;
  #described = {};
  #groups = "";

  constructor(parent) {
    this.#parent = parent;
    this.#draw();
  }

  /// Whether statistics have groups that were not there when they were described last.
  isNews(stats) {
    return groupsOf(stats) !== this.#groups;
  }

  /// What left stays, as dashes.
  describe(groups, stats) {
    this.#groups = groupsOf(stats);
    this.#described = { ...this.#described, ...groups };
    this.#draw();
  }

  #draw() {
    const tables = Object.entries(this.#described)
      .sort(([one], [other]) => place(one) - place(other))
      .map(([group, members]) => [words(group), rowsOf(group, members)])
      .filter(([, rows]) => rows.length > 0);
    this.#rows = [];
    this.#parent.replaceChildren();
    for (const [title, rows] of [...tables, more]) {
      const table = this.#parent.appendChild(document.createElement("table"));
      table.createCaption().textContent = title;
      const body = table.createTBody();
      for (const row of rows) {
        const line = body.insertRow();
        const label = line.appendChild(document.createElement("th"));
        label.scope = "row";
        label.textContent = row.label;
        label.title = `${row.path}: ${row.help}`;
        const shown = line.insertCell();
        shown.textContent = "–";
        const change = line.insertCell();
        change.className = "change";
        this.#rows.push({ ...row, line, shown, change });
      }
    }
  }

  /// seconds: from the last statistics to these; 0: of another session, no changes can be told.
  show(stats, before, seconds) {
    for (const row of this.#rows) {
      const now = at(stats, row.path);
      const isThere = typeof now === "number" || typeof now === "string";
      row.shown.textContent = isThere ? row.describe(now) : "–";
      const change = isThere && row.isTotal && seconds > 0 ? now - (at(before, row.path) ?? 0) : 0;
      row.change.textContent = change > 0 ? `+${count(change / seconds)} /s` : "";
      row.line.classList.toggle("fault", Boolean(row.isFault && isThere && now > 0));
    }
  }
}
