// SPDX-License-Identifier: Apache-2.0
// How the box follows a television or a leading box: shown while it follows one or is in a group.

import { milliseconds, ppm } from "./counters.js";
import { Plot } from "./plots.js";

/// `wallClockAwaited`: wall clock awaited.
const words = (name) => name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

export class SyncPanel {
  #section;
  #facts;
  #plot;
  #report;

  /// section: has an element for each fact, by its `data-fact`. plots: where the plot goes.
  constructor(section, plots) {
    this.#section = section;
    this.#facts = section.querySelectorAll("[data-fact]");
    this.#plot = new Plot(plots, "Error, last two minutes", milliseconds, [-20_000, 20_000]);
  }

  /// report: the answer of the command `sync`.
  show(report) {
    this.#report = report;
    const isShown = report.television !== null || report.group !== null;
    if (!isShown && !this.#section.hidden) this.#plot.clear();
    this.#section.hidden = !isShown;
    if (!isShown) return;
    const { errorUs, boundUs } = report;
    const facts = {
      state: report.phase === "following" ? words(report.state) : words(report.phase),
      television: report.television ?? "–",
      group: report.group === null ? "–" : `${report.group}: ${report.groupRole}`,
      content: report.contentId ?? "–",
      error: errorUs === null ? "–" : `${milliseconds(errorUs)} ± ${milliseconds(boundUs)}`,
      rate: ppm(report.ratePpm * 1000),
    };
    for (const place of this.#facts) place.textContent = facts[place.dataset.fact];
  }

  /// Once a second.
  sample() {
    if (!this.#section.hidden) this.#plot.add(this.#report.errorUs ?? undefined, this.#report.boundUs ?? undefined);
  }
}
