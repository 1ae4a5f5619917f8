// SPDX-License-Identifier: Apache-2.0
// Small plots: the last values of something, drawn as one SVG line, with how wrong they may be as a band behind it.

const SVG = "http://www.w3.org/2000/svg";
const LENGTH = 120; // values
const HEIGHT = 32;

export class Plot {
  #values = [];
  #bounds = [];
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

  /// undefined: not known now, a gap. bound: how wrong the value may be; undefined for a line without a band.
  add(value, bound) {
    this.#values.push(Number.isFinite(value) ? value : undefined);
    this.#bounds.push(bound);
    if (this.#values.length > LENGTH) for (const list of [this.#values, this.#bounds]) list.shift();
    const known = this.#values.filter((value) => value !== undefined);
    const low = Math.min(this.#floor[0], ...known);
    const high = Math.max(this.#floor[1], ...known);
    this.#output.textContent = Number.isFinite(value) ? this.#describe(value) : "–";
    const [least, most] = [Math.min(...known), Math.max(...known)].map((value) => this.#describe(value));
    // The unit once.
    this.#range.textContent = known.length ? `${least.replace(/ \D+$/, "")} … ${most}` : "–";
    this.#drawing.replaceChildren(...this.#runs().flatMap((run) => this.#drawn(run, low, high)));
  }

  clear() {
    [this.#values, this.#bounds] = [[], []];
    this.#output.textContent = this.#range.textContent = "–";
    this.#drawing.replaceChildren();
  }

  /// Values without a gap between them, with their places.
  #runs() {
    const runs = [[]];
    const start = LENGTH - this.#values.length;
    this.#values.forEach((value, index) => {
      if (value === undefined) return runs.push([]);
      runs.at(-1).push({ x: start + index, value, bound: this.#bounds[index] });
    });
    return runs.filter((run) => run.length > 1);
  }

  #drawn(run, low, high) {
    const points = (value) => run.map((place) => {
      // A band may be wider than the plot.
      const part = Math.max(0, Math.min(1, (value(place) - low) / (high - low || 1)));
      return `${place.x},${(HEIGHT - 1 - part * (HEIGHT - 2)).toFixed(1)}`;
    });
    const shape = (name, list) => {
      const drawn = document.createElementNS(SVG, name);
      drawn.setAttribute("points", list.join(" "));
      return drawn;
    };
    const line = shape("polyline", points(({ value }) => value));
    if (run.some(({ bound }) => bound === undefined)) return [line];
    const [above, below] = [1, -1].map((sign) => points(({ value, bound }) => value + sign * bound));
    return [shape("polygon", [...above, ...below.reverse()]), line];
  }
}
