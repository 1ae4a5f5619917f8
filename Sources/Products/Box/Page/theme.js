// SPDX-License-Identifier: Apache-2.0
// The look of the screen on the page: the colours and the letters of the setting screenText.theme. The style sheet has those
// of a theme that nobody has set.

import { ask } from "./api.js";

const READABLE = 4.5; // the contrast of texts with what is behind them (WCAG 2.1, level AA)
const [BLACK, WHITE] = [[0, 0, 0], [255, 255, 255]];
// The box refuses a theme whose colours are not readable where a little more than this of a picture shines through panels.
const SHINE = 0.07;

/// `#rrggbb` as red, green and blue.
const parsed = (text) => [1, 3, 5].map((place) => Number.parseInt(text.slice(place, place + 2), 16));
const mixed = (upper, lower, share) => upper.map((value, index) => Math.round(value * share + lower[index] * (1 - share)));

function luminance(colour) {
  const [red, green, blue] = colour.map((value) => value / 255)
    .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [least, most] = [luminance(one), luminance(other)].sort((first, second) => first - second);
  return (most + 0.05) / (least + 0.05);
}

/// The colours of the page by the names that the style sheet has for them.
function palette(theme) {
  const [panel, text, accent] = [theme.panel, theme.text, theme.accent].map(parsed);
  const [ground, raised] = [mixed(BLACK, panel, SHINE), mixed(WHITE, panel, SHINE)];
  let share = 0.7;
  const isFaint = () => [ground, raised].some((behind) => contrast(mixed(text, panel, share), behind) < READABLE);
  while (share < 1 && isFaint()) share = Math.min(1, share + 0.05);
  return { ground, panel, raised, text, accent, faint: mixed(text, panel, share), line: mixed(text, panel, 0.28) };
}

/// Puts on what the box says. To be called when its settings may have changed.
export async function wearTheme() {
  let theme;
  try {
    theme = (await ask("config?path=screenText.theme")).config;
  } catch {
    return; // the page is readable as it is
  }
  const { style } = document.documentElement;
  for (const [name, colour] of Object.entries(palette(theme))) style.setProperty(`--${name}`, `rgb(${colour.join(" ")})`);
  style.setProperty("--letters", theme.font === "serif" ? "var(--serif)" : "var(--sans)");
  style.colorScheme = luminance(parsed(theme.panel)) < luminance(parsed(theme.text)) ? "dark" : "light";
}
