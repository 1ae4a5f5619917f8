// SPDX-License-Identifier: Apache-2.0
// The line-up: a list box of channels, whatever they are called. Names come from the network: text, never markup.

export class LineUp {
  #list;
  #note;
  #group;
  #channels = [];
  #lines = new Map();
  #selected;
  #playing;
  #made = 0;

  /// tune: called with the channel that was chosen.
  constructor(list, note, group, tune) {
    [this.#list, this.#note, this.#group, this.tune] = [list, note, group, tune];
    group.onchange = () => this.#draw();
    list.onclick = ({ target }) => {
      const id = target.closest("li")?.dataset.id;
      if (id === undefined) return;
      this.#select(id);
      this.choose();
    };
  }

  set channels(channels) {
    this.#channels = channels;
    const names = [...new Set(channels.flatMap((channel) => channel.groups ?? []))].sort();
    const options = [["", "all"], ["*", "favourites"], ...names.map((name) => [`=${name}`, name])];
    if (options.length !== this.#group.length || options.some(([, text], index) => this.#group[index].text !== text)) {
      const before = this.#group.value;
      this.#group.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
      this.#group.value = options.some(([value]) => value === before) ? before : "";
    }
    this.#draw();
  }

  /// By its name: what status says.
  set playing(name) {
    if (name === this.#playing) return;
    this.#playing = name;
    this.#draw();
  }

  /// Moves the choice by so many; the list is where the keyboard is from then on.
  move(steps) {
    const shown = this.#shown;
    if (!shown.length) return;
    const here = shown.findIndex((channel) => channel.id === this.#selected);
    const start = here >= 0 ? here : shown.findIndex((channel) => channel.name === this.#playing);
    this.#select(shown[Math.max(0, Math.min(shown.length - 1, start + steps))].id);
    this.#list.focus({ preventScroll: true });
  }

  choose() {
    const channel = this.#channels.find((channel) => channel.id === this.#selected);
    if (channel) this.tune(channel);
  }

  get #shown() {
    const group = this.#group.value;
    if (group === "") return this.#channels;
    if (group === "*") return this.#channels.filter((channel) => channel.isFavourite);
    return this.#channels.filter((channel) => channel.groups?.includes(group.slice(1)));
  }

  #select(id) {
    this.#selected = id;
    for (const line of this.#list.children) {
      const isIt = line.dataset.id === id;
      line.setAttribute("aria-selected", String(isIt));
      if (!isIt) continue;
      this.#list.setAttribute("aria-activedescendant", line.id);
      line.scrollIntoView({ block: "nearest" });
    }
  }

  #draw() {
    const shown = this.#shown;
    // Lines are kept: one that went between press and release would lose the click.
    const lines = shown.map((channel) => this.#line(channel));
    for (const id of [...this.#lines.keys()]) {
      if (!this.#channels.some((channel) => channel.id === id)) this.#lines.delete(id);
    }
    if (lines.length !== this.#list.children.length || lines.some((line, index) => line !== this.#list.children[index])) {
      this.#list.replaceChildren(...lines);
    }
    if (shown.some((channel) => channel.id === this.#selected)) this.#select(this.#selected);
    else this.#list.removeAttribute("aria-activedescendant");
    const all = this.#channels.length;
    this.#note.textContent = all === 0 ? "no channels heard yet"
      : shown.length === all ? `${all} ${all === 1 ? "channel" : "channels"}` : `${shown.length} of ${all} channels`;
  }

  #line(channel) {
    const line = this.#lines.get(channel.id) ?? this.#newLine(channel.id);
    const isPlaying = channel.name === this.#playing;
    line.classList.toggle("current", isPlaying);
    if (isPlaying) line.setAttribute("aria-current", "true");
    else line.removeAttribute("aria-current");
    const about = [channel.kind === "video" ? "" : channel.kind, channel.now?.title || channel.channelText || channel.origin];
    const texts = [channel.number, channel.name, channel.isFavourite ? "★" : "", about.filter(Boolean).join(" · ")];
    texts.forEach((text, index) => {
      if (line.children[index].textContent !== String(text)) line.children[index].textContent = text;
    });
    return line;
  }

  #newLine(id) {
    const line = document.createElement("li");
    line.id = `channel-${(this.#made += 1)}`;
    line.dataset.id = id;
    line.setAttribute("role", "option");
    line.setAttribute("aria-selected", "false");
    line.append(part("span", "number", ""), part("bdi", "name", ""), part("span", "star", ""), part("bdi", "about", ""));
    this.#lines.set(id, line);
    return line;
  }
}

export function part(name, className, text) {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
}
