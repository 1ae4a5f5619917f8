// SPDX-License-Identifier: Apache-2.0
// The settings: a list of all of them with their values, and a form that explains, tries and changes one.

import { ask } from "./api.js";
import { part } from "./lineup.js";

const token = (name) => name.replaceAll("~", "~0").replaceAll("/", "~1");
const asText = (value) => (typeof value === "string" ? value : JSON.stringify(value));

/// Each setting as its JSON pointer and its value. A list is one setting.
const leaves = (value, path = "") => (value && typeof value === "object" && !Array.isArray(value)
  ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, `${path}/${token(name)}`)) : [[path, value]]);

/// `/sound/volume` as people write it: `sound.volume`.
const readable = (path) => (/[.~]/.test(path) ? path : path.slice(1).replaceAll("/", "."));

const interruptions = {
  atOnce: "interrupts nothing", interruptsPicture: "interrupts the picture", interruptsSound: "interrupts the sound",
  interruptsControl: "may interrupt this connection",
  needsRestart: "takes effect when the service starts again",
};

export class Settings {
  #parts;
  #rows = [];
  #path;
  /// The revision that is shown. A change of another one is refused.
  #revision;

  /// parts: the elements of the page by what they are: fold, filter, list, form, title, about, value, check, reset, answer.
  constructor(parts) {
    this.#parts = parts;
    parts.fold.ontoggle = () => this.refresh();
    parts.filter.oninput = () => this.#draw();
    parts.list.onclick = ({ target }) => {
      const path = target.closest("button")?.dataset.path;
      if (path !== undefined) this.#choose(path);
    };
    parts.form.onsubmit = (event) => {
      event.preventDefault();
      this.#change("config-set", { path: this.#path, value: parts.value.value });
    };
    parts.check.onclick = () => this.#change("config-set", { path: this.#path, value: parts.value.value, check: true });
    parts.reset.onclick = () => this.#change("config-reset", { path: this.#path });
  }

  /// Asks for the settings if they are shown. To be called when they have changed.
  async refresh() {
    if (!this.#parts.fold.open) return;
    try {
      const { config, revision } = await ask("config");
      this.#revision = revision;
      this.#rows = leaves(config);
      this.#draw();
      if (this.#path !== undefined) await this.#explain();
    } catch (error) {
      this.#answer(error.message, true);
    }
  }

  #draw() {
    const wanted = this.#parts.filter.value.trim().toLowerCase();
    const shown = this.#rows.filter(([path, value]) => `${readable(path)} ${asText(value)}`.toLowerCase().includes(wanted));
    this.#parts.list.replaceChildren(...shown.map(([path, value]) => {
      const line = document.createElement("li");
      const button = part("button", "", "");
      button.type = "button";
      button.dataset.path = path;
      button.setAttribute("aria-pressed", String(path === this.#path));
      button.append(part("span", "name", readable(path)), " ", part("bdi", "value", asText(value)));
      line.append(button);
      return line;
    }));
  }

  async #choose(path) {
    this.#path = path;
    this.#answer("");
    for (const button of this.#parts.list.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.dataset.path === path));
    }
    try {
      const about = await this.#explain();
      if (about === undefined) return;
      this.#showValue(about);
      this.#parts.form.hidden = false;
      this.#parts.value.focus();
    } catch (error) {
      this.#answer(error.message, true, path);
    }
  }

  #showValue({ value }) { this.#parts.value.value = value === undefined ? "" : asText(value); }

  /// Shows what the chosen setting is. Undefined if another one is chosen before the box answers.
  async #explain() {
    const path = this.#path;
    const about = await ask(`config-explain?path=${encodeURIComponent(path)}`);
    if (path !== this.#path) return undefined;
    this.#parts.title.textContent = readable(path);
    this.#parts.about.textContent = [
      about.help, `Expected: ${about.expected}.`,
      about.default === undefined ? "" : `Default: ${asText(about.default)}.`,
      `The value is from the ${{ default: "defaults", image: "image", revision: "revisions" }[about.source]}.`,
      `A change ${interruptions[about.change] ?? "is told when it is checked"}.`,
      about.awaitsRestart ? "This value is not in effect before the service starts again." : "",
      about.isLocalOnly ? "Only the command line on the box changes it." : "",
    ].filter(Boolean).join(" ");
    return about;
  }

  async #change(command, body) {
    try {
      const { changes, confirmation } = await ask(command, { ...body, base: this.#revision });
      const effects = [...new Set(changes.map(({ effect }) => interruptions[effect] ?? effect))].join(", ");
      const what = changes.length === 0 ? "nothing changes" : effects;
      const proof = confirmation === undefined || changes.length === 0 ? "" : confirmation.awaitsRestart
        ? " It is taken back if it does not work after the restart."
        : ` It is taken back in ${confirmation.withinS} s, unless what worked before works with it.`;
      this.#answer(`${body.check ? "Accepted" : "Done"}: ${what}.${proof}`, false, body.path);
      if (body.check) return;
      await this.refresh();
      if (body.path !== this.#path) return;
      const about = await this.#explain();
      if (about !== undefined) this.#showValue(about);
    } catch (error) {
      this.#answer(error.message, true, body.path);
    }
  }

  /// path: the setting that it is about, which is named if another one is chosen meanwhile.
  #answer(text, isFault = false, path = this.#path) {
    this.#parts.answer.textContent = path === this.#path ? text : `${readable(path)}: ${text}`;
    this.#parts.answer.classList.toggle("fault", isFault);
  }
}
