// SPDX-License-Identifier: Apache-2.0
// Small plots: the last values of something, drawn as one SVG line.

const SVG = "http://www.w3.org/2000/svg";
const LENGTH = 120; // values
const HEIGHT = 32;

export class Plot {
  #values = [];
  #output = document.createElement("output");
  #range = document.createElement("small");
  #drawing = document.createElementNS(SVG, "svg");
  #describe;
  #floor;

  /// describe: a value as text. floor: the range that is drawn at least, as [low, high].
  constructor(parent, title, describe, floor) {
    this.#describe = describe;
    this.#floor = floor;
    const figure = document.createElement("figure");
    figure.className = "plot";
    const caption = document.createElement("figcaption");
    caption.textContent = title;
    this.#output.textContent = this.#range.textContent = "–";
    this.#output.setAttribute("aria-live", "off");
    caption.title = title;
    this.#drawing.setAttribute("viewBox", `0 0 ${LENGTH - 1} ${HEIGHT}`);
    this.#drawing.setAttribute("preserveAspectRatio", "none");
    this.#drawing.setAttribute("aria-hidden", "true");
    figure.append(caption, this.#output, this.#drawing, this.#range);
    parent.append(figure);
  }

  /// undefined: not known now, a gap.
  add(value) {
    this.#values.push(Number.isFinite(value) ? value : undefined);
    if (this.#values.length > LENGTH) this.#values.shift();
    const known = this.#values.filter((value) => value !== undefined);
    const low = Math.min(this.#floor[0], ...known);
    const high = Math.max(this.#floor[1], ...known);
    this.#output.textContent = Number.isFinite(value) ? this.#describe(value) : "–";
    const [least, most] = [Math.min(...known), Math.max(...known)].map((value) => this.#describe(value));
    // The unit once.
    this.#range.textContent = known.length ? `${least.replace(/ \D+$/, "")} … ${most}` : "–";
    this.#drawing.replaceChildren(...this.#lines(low, high));
  }

  #lines(low, high) {
    const lines = [[]];
    const start = LENGTH - this.#values.length;
    this.#values.forEach((value, index) => {
      if (value === undefined) return lines.push([]);
      const y = HEIGHT - 1 - ((value - low) / (high - low || 1)) * (HEIGHT - 2);
      lines.at(-1).push(`${start + index},${y.toFixed(1)}`);
    });
    return lines.filter((line) => line.length > 1).map((line) => {
      const drawn = document.createElementNS(SVG, "polyline");
      drawn.setAttribute("points", line.join(" "));
      return drawn;
    });
  }
}
