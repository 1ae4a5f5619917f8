# SPDX-License-Identifier: Apache-2.0
"""What people do with the live page, done in Chromium: page.py URL DIRECTORY [CHECK ...]

Prints a line of JSON for each check: {"check": ..., "isOk": ..., "why": ...}. Screenshots go to DIRECTORY.
The box has the channels One and Two (test cards; One is CODED wide) and one with markup for a name.
"""
import json, os, re, sys, time, traceback
from browser import Browser

CODED = (1280, 720)

# What a venue may set `screenText.theme` to; the box's own is dark.
LIGHT = {"panel": "#ffffff", "text": "#102038", "accent": "#0b5c4a", "font": "serif"}
# Text and accent are barely readable enough for the box to take them.
FAINT = {"panel": "#303030", "text": "#b0b0b0", "accent": "#78bdff"}

# Noted from the beginning: shifts of the layout, refused loads, and every WebSocket.
BEFORE = """
window.noted = { shift: 0, refused: [], sockets: [], sequences: [] };
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) noted.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
document.addEventListener("securitypolicyviolation", (event) => noted.refused.push(event.violatedDirective + " " + event.blockedURI));
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    noted.sockets.push(this);
    this.addEventListener("message", ({ data }) => {
      const sequence = JSON.parse(data).event?.sequence;
      if (sequence) noted.sequences.push([noted.sockets.indexOf(this), sequence]);
    });
  }
};
"""

# The number of the test card in the picture, or null: see FrameCounterCode.
NUMBER = """
(() => {
  const [width, height, image] = [%d, %d, document.getElementById("moving")];
  if (!image.naturalWidth) return null;
  const canvas = new OffscreenCanvas(width, height), context = canvas.getContext("2d");
  context.drawImage(image, 0, 0, width, height);
  const block = Math.floor(width / 34), pixels = context.getImageData(0, 0, width, 32).data;
  const level = (index, strip) => pixels[((strip * 16 + 8) * width + index * block + (block >> 1)) * 4 + 1];
  let number = 0;
  for (let index = 0; index < 34; index += 1) {
    const contrast = level(index, 0) - level(index, 1);
    if (Math.abs(contrast) < 100) return null;
    if (index > 0 && index < 33) number = number * 2 + (contrast > 0 ? 1 : 0);
  }
  return number;
})()
""" % CODED

# Text on its ground, WCAG 2.1 1.4.3: everything with text of its own that can be seen.
CONTRAST = """
(() => {
  const parse = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((value) => value / 255)
    .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
  const ground = (element) => {
    for (let it = element; it; it = it.parentElement) {
      const colour = parse(getComputedStyle(it).backgroundColor);
      if ((colour[3] ?? 1) > 0.5) return colour;
    }
    return [255, 255, 255];
  };
  const poor = [];
  let count = 0;
  for (const element of document.querySelectorAll("body *")) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!hasText || !element.checkVisibility({ visibilityProperty: true }) || element.closest("noscript, .unseen, option")) continue;
    const style = getComputedStyle(element);
    const pair = [light(parse(style.color)), light(ground(element))].sort((one, other) => other - one);
    const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
    count += 1;
    if (ratio < 4.5) poor.push(`${element.tagName}.${element.className} "${element.textContent.slice(0, 20)}" ${ratio.toFixed(2)}`);
  }
  return [count, poor];
})()
"""

OPTION = "[...document.querySelectorAll('#list li')].find((line) => line.querySelector('.name').textContent === %s)"


def playing(browser, name, state=None):
    browser.wait(f"document.getElementById('playing-name').textContent === {json.dumps(name)}")
    if state:
        browser.wait(f"document.getElementById('playing-state').textContent === {json.dumps(state)}")


def number(browser, patience=15):
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        found = browser.evaluate(NUMBER)
        if found is not None:
            return found
        time.sleep(0.05)
    raise AssertionError("no counter in the picture")


def choose_quickly(browser, first, last):
    """Two settings are chosen, and what the box says of the first one arrives last."""
    browser.evaluate("""(() => {
        const fetched = window.fetch;
        const held = new Promise((resolve) => { window.letGo = resolve; });
        window.fetch = async (address, ...rest) => {
            const answer = await fetched(address, ...rest);
            if (String(address).includes(encodeURIComponent('%s'))) {
                await held;
                window.fetch = fetched;
                setTimeout(() => { window.isLate = true; }, 200);
            }
            return answer;
        }; })()""" % first)
    for path in (first, last):
        browser.evaluate(f"document.querySelector('#setting-list button[data-path=\"{path}\"]').click()")
    browser.wait("document.getElementById('setting-title').textContent === '%s'" % last[1:].replace("/", "."))
    shown = [browser.text("#setting-about"), browser.evaluate("document.getElementById('setting-value').value")]
    browser.evaluate("window.letGo()")
    browser.wait("window.isLate === true")
    assert browser.text("#setting-title") == last[1:].replace("/", "."), "the first setting is shown"
    assert shown == [browser.text("#setting-about"),
                     browser.evaluate("document.getElementById('setting-value').value")], "values are mixed"


def click_channel(browser, name):
    browser.wait(f"Boolean({OPTION % json.dumps(name)})")
    browser.click(OPTION % json.dumps(name))


def message(browser):
    return browser.wait("!document.getElementById('message').hidden && document.getElementById('message-text').textContent")


class Checks:
    def __init__(self, browser, url, directory):
        self.browser, self.url, self.directory = browser, url, directory

    def open(self, **options):
        self.browser.open(self.url, before=BEFORE, **options)
        self.browser.wait("document.querySelectorAll('#list li').length >= 3", 30)
        self.browser.wait("document.getElementById('link').textContent === 'connected'")

    def clean(self, expected=()):
        """Nothing in the console but what a check has provoked, nothing refused by the policy."""
        errors = [error for error in self.browser.errors if not any(word in error for word in expected)]
        assert not errors, errors
        refused = self.browser.evaluate("noted.refused")
        assert not refused, refused

    def first_paint(self, **window):
        """The first contentful paint of the best of three loads: a load may have waited for a processor."""
        paints = []
        for _ in range(3):
            self.open(**window)
            paint = self.browser.wait("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
            if paint <= 1000:
                return paint
            paints.append(paint)
        raise AssertionError(f"first contentful paint after {paints} ms, {window}")

    def paints_at_once_and_stands_still(self):
        paints = []
        for width, height in [(320, 640), (700, 900), (1280, 900)]:
            paints.append(self.first_paint(width=width, height=height, phone=width == 320))
            click_channel(self.browser, "One")
            self.browser.evaluate("scrollTo(0, 0)")
            time.sleep(3)
            shift = self.browser.evaluate("noted.shift")
            assert shift < 0.02, f"layout shift {shift} at {width}"
        assert self.browser.evaluate("document.documentElement.lang") == "en"
        others = self.browser.evaluate(
            "performance.getEntriesByType('resource').map(({name}) => new URL(name).origin).filter((it) => it !== location.origin)")
        assert not others, others
        self.clean()
        return f"{max(paints):.0f} ms, shift {shift:.4f}"

    def tunes_by_click_and_the_picture_moves(self):
        self.open()
        click_channel(self.browser, "Two")
        playing(self.browser, "Two")
        click_channel(self.browser, "One")
        playing(self.browser, "One", "play")
        self.browser.wait("document.querySelector('#list li.current .name')?.textContent === 'One'")
        assert self.browser.evaluate("document.querySelectorAll('#list [aria-current=true]').length") == 1
        first = number(self.browser)
        deadline = time.monotonic() + 10
        while not 5 < number(self.browser) - first < 2_000:
            assert time.monotonic() < deadline, "the picture does not move"
            time.sleep(0.1)
        self.clean()

    def rewinds_and_the_counter_steps_back(self):
        self.open()
        click_channel(self.browser, "One")
        playing(self.browser, "One")
        # Enough of a history to go 8 s back; the rest of what is asked for is as far as it reaches.
        self.browser.wait("Number(document.getElementById('place').min) < -9000", 30)
        presented = ("(() => { const row = [...document.querySelectorAll('#counter-list th')].find((it) => it.textContent "
                     "=== 'Pictures presented'); return Number(row.nextSibling.textContent.replaceAll(',', '')); })()")
        before, shown = number(self.browser), self.browser.wait(presented)
        self.browser.click("document.querySelector('[data-do=rewind]')")
        self.browser.wait("/^([89]|[1-9]\\d)\\.\\d s behind live/.test(document.getElementById('place-text').textContent)")
        deadline = time.monotonic() + 10
        while number(self.browser) > before - 125:
            assert time.monotonic() < deadline, f"the counter of the picture does not step back from {before}"
            time.sleep(0.05)
        self.browser.wait(f"{presented} > {shown}")
        behind = self.browser.text("#place-text")
        self.browser.click("document.querySelector('[data-do=live]')")
        self.browser.wait("/^(live|0\\.)/.test(document.getElementById('place-text').textContent)")
        self.clean()
        return behind

    def an_error_can_be_read(self):
        self.open()
        for key in "4040":
            self.browser.press(key)
        assert self.browser.text("#digits") == "4040"
        text = message(self.browser)
        assert "4040" in text and "line-up" in text, text
        assert self.browser.evaluate("document.getElementById('message-text').getAttribute('role')") == "alert"
        inside = self.browser.evaluate(
            "(() => { const box = document.getElementById('message').getBoundingClientRect(); "
            "return box.top >= 0 && box.bottom <= innerHeight && box.height > 20; })()")
        assert inside, "the message is not on the screen"
        self.browser.press("Escape")
        self.browser.wait("document.getElementById('message').hidden")
        self.clean(expected=["network: Failed to load resource"])
        return text

    def everything_by_keyboard(self):
        self.open()
        click_channel(self.browser, "Two")
        playing(self.browser, "Two")
        # A number by digits, at once with Enter.
        self.browser.press("1")
        self.browser.press("Enter")
        playing(self.browser, "One", "play")
        # Through the list.
        self.browser.press("ArrowDown")
        assert self.browser.evaluate("document.activeElement.id") == "list"
        chosen = self.browser.evaluate(
            "document.getElementById(document.getElementById('list').getAttribute('aria-activedescendant'))?.ariaSelected")
        assert chosen == "true", chosen
        names = [self.browser.evaluate("document.querySelector('#list [aria-selected=true] .name').textContent")]
        self.browser.press("ArrowUp")
        names.append(self.browser.evaluate("document.querySelector('#list [aria-selected=true] .name').textContent"))
        assert names[0] != names[1], names
        while self.browser.evaluate("document.querySelector('#list [aria-selected=true] .name').textContent") != "Two":
            self.browser.press("ArrowDown")
        self.browser.press("Enter")
        playing(self.browser, "Two", "play")
        # Pause and on.
        self.browser.press(" ")
        playing(self.browser, "Two", "pause")
        self.browser.press(" ")
        playing(self.browser, "Two", "rewind")
        self.browser.press("m")
        self.browser.wait("document.getElementById('mute').getAttribute('aria-pressed') === 'true'")
        self.browser.press("m")
        self.browser.wait("document.getElementById('mute').getAttribute('aria-pressed') === 'false'")
        self.browser.press("?")
        self.browser.wait("document.getElementById('help').open")
        self.browser.press("Escape")
        self.browser.wait("!document.getElementById('help').open")
        # Everything that can be pressed is reached by Tab.
        reached = set()
        for _ in range(60):
            self.browser.press("Tab")
            reached.add(self.browser.evaluate(
                "document.activeElement.id || document.activeElement.dataset.do || document.activeElement.textContent"))
        wanted = {"login-open", "help-open", "rewind", "back", "pause", "forth", "live", "stop", "mute", "volume", "group", "list",
                  "with-progress", "event-filter", "event-list"}
        assert wanted <= reached, wanted - reached
        self.clean()

    def names_are_text_and_roles_have_names(self):
        self.open()
        name = self.browser.evaluate(
            "[...document.querySelectorAll('#list .name')].map((it) => it.textContent).find((it) => it.includes('<img'))")
        assert name, "the channel with markup for a name is not listed"
        assert self.browser.evaluate("document.querySelectorAll('#list img, #list b, #event-list img').length") == 0
        direction = self.browser.evaluate(
            "getComputedStyle([...document.querySelectorAll('#list .name')].find((it) => /[\u0600-\u06ff]/.test(it.textContent)))"
            ".direction")
        assert direction == "rtl", f"an Arabic name is read {direction}"
        nameless = []
        wanted = {"button", "slider", "checkbox", "combobox", "searchbox", "listbox", "option", "image", "img"}
        for node in self.browser.call("Accessibility.getFullAXTree")["nodes"]:
            role = node.get("role", {}).get("value")
            if role in wanted and not node.get("ignored") and not node.get("name", {}).get("value", "").strip():
                nameless.append(role)
        assert not nameless, nameless
        self.clean()
        return name

    def wear(self, theme):
        """Changes the box's theme, as the open page's user; None: as it is made. The page has it then."""
        status = self.browser.evaluate(
            "fetch('/v1/config', { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: "
            f"JSON.stringify({json.dumps({'screenText': {'theme': theme}})}) }}).then(({{ status }}) => status)")
        assert status == 200, f"the box answers {status} to the theme {theme}"
        said = self.browser.evaluate(
            "fetch('/v1/config?path=screenText.theme').then((answer) => answer.json()).then(({ config }) => config)")
        for place, colour in (("section", "panel"), ("body", "text"), (".brand", "accent")):
            shown = ", ".join(str(int(said[colour][index:index + 2], 16)) for index in (1, 3, 5))
            name = "backgroundColor" if colour == "panel" else "color"
            self.browser.wait(f"getComputedStyle(document.querySelector('{place}')).{name} === 'rgb({shown})'")
        return said

    def colours_are_those_of_the_screen(self):
        self.open()
        usual = self.wear(None)
        assert usual["panel"] == "#102038" and usual["accent"] == "#5cadff", usual
        font = "getComputedStyle(document.body).fontFamily"
        scheme = "getComputedStyle(document.documentElement).colorScheme"
        assert "Sans" in self.browser.evaluate(font) and self.browser.evaluate(scheme) == "dark"
        said = self.wear(LIGHT)
        assert said["panel"] == LIGHT["panel"], said
        assert "Serif" in self.browser.evaluate(font) and self.browser.evaluate(scheme) == "light"
        # It is there from the beginning when the page is opened.
        self.open()
        self.browser.wait("getComputedStyle(document.querySelector('section')).backgroundColor === 'rgb(255, 255, 255)'")
        self.wear(None)
        self.clean()

    def contrast_is_enough(self):
        counts = []
        for theme in (None, LIGHT, FAINT):
            self.open()
            self.wear(theme)
            click_channel(self.browser, "One")
            time.sleep(1.5)
            self.browser.evaluate("document.getElementById('help').showModal()")
            for key in "4040":
                self.browser.press(key)
            self.browser.evaluate("document.getElementById('help').close()")
            for key in "4040":
                self.browser.press(key)
            self.browser.press("Enter")
            message(self.browser)
            self.browser.evaluate("document.querySelectorAll('#counter-list tr')[1].classList.add('fault')")
            count, poor = self.browser.evaluate(CONTRAST)
            assert count > 100 and not poor, (theme, poor)
            counts.append(count)
        self.wear(None)
        return f"{counts} texts"

    def fits_a_phone(self):
        for width in (320, 360, 768, 1024, 1920):
            self.open(width=width, height=700, phone=width < 700)
            time.sleep(1.2)
            wide = self.browser.evaluate("document.scrollingElement.scrollWidth")
            assert wide <= width, f"{wide} of {width} wide"
            over = self.browser.evaluate(
                "[...document.querySelectorAll('body *')].filter((it) => it.checkVisibility() && !it.closest('.unseen, svg') && "
                "it.getBoundingClientRect().right > innerWidth + 0.5).map((it) => it.id || it.tagName)")
            assert not over, f"{width}: {over}"
            small = self.browser.evaluate(
                "[...document.querySelectorAll('button, select, #list li')].filter((it) => it.checkVisibility())"
                ".filter((it) => it.getBoundingClientRect().height < 43.5).map((it) => it.id || it.textContent)")
            assert not small, small
        self.clean()

    def events_go_on_where_they_were(self):
        self.open()
        click_channel(self.browser, "One")
        playing(self.browser, "One", "play")
        self.browser.wait("noted.sequences.length > 3 && document.querySelectorAll('#event-list li').length > 3")
        self.browser.evaluate("noted.sockets.at(-1).close()")
        self.browser.wait("document.getElementById('link').textContent !== 'connected' || noted.sockets.length > 1")
        self.browser.wait("noted.sockets.length > 1 && noted.sequences.some(([socket]) => socket === 1)")
        assert re.search(r"since=\d+", self.browser.evaluate("noted.sockets[1].url")), "since is missing"
        first, second = ([number for socket, number in self.browser.evaluate("noted.sequences") if socket == index]
                         for index in (0, 1))
        assert second[0] == max(first) + 1 and second == list(range(second[0], second[-1] + 1)), (first, second)
        self.browser.wait("document.getElementById('link').textContent === 'connected'")
        self.browser.evaluate("noted.sockets.at(-1).onmessage({ data: '{\"dropped\":40}' })")
        assert "40 events" in self.browser.text("#event-list li.lost")
        self.browser.click("document.getElementById('with-progress')")
        self.browser.wait("document.getElementById('event-list').textContent.includes('session.progress')")
        self.clean()

    def regions_take_commands(self):
        self.open()
        click_channel(self.browser, "One")
        playing(self.browser, "One", "play")
        if self.browser.evaluate("document.getElementById('layout').disabled"):
            return "this box has one region"
        self.choose("pip")
        self.browser.wait("document.querySelectorAll('#region-list li').length === 2")
        other = "document.querySelector('#region-list li:nth-child(2) button:%s-child')"
        pressed = other + ".getAttribute('aria-pressed') === 'true'"
        self.browser.click(other % "first")
        self.browser.wait(pressed % "first")
        click_channel(self.browser, "Two")
        playing(self.browser, "Two", "play")
        self.browser.click(other % "last")
        self.browser.wait(pressed % "last")
        self.browser.evaluate("document.activeElement.blur()")  # else the key presses the button
        self.browser.press(" ")
        playing(self.browser, "Two", "pause")
        assert "One" in self.browser.text("#region-list li:first-child")
        self.choose("full")
        playing(self.browser, "One", "play")
        # The region may have gone between two questions.
        self.clean(expected=["network: Failed to load resource"])
        return "two regions"

    def sync_is_shown_while_a_television_is_followed(self):
        """The box follows none: what it would answer is put in the place of its answer."""
        self.open()
        hidden = "document.getElementById('sync').hidden"
        self.browser.wait("document.querySelectorAll('#counter-list tr').length > 20")
        assert self.browser.evaluate(hidden), "nobody is followed"
        report = {"phase": "wallClockAwaited", "state": "syncTimelineUnavailable", "contentId": None, "errorUs": None,
                  "television": "ws://192.0.2.1:7681/<b>cii</b>", "boundUs": None, "ratePpm": 0, "group": None,
                  "groupRole": "none"}
        self.browser.evaluate("""(() => {
            const fetched = window.fetch;
            window.fetch = async (address, ...rest) => String(address) === "/v1/sync"
              ? new Response(JSON.stringify(window.report)) : fetched(address, ...rest);
        })()""")

        def told(**changes):
            self.browser.evaluate("window.report = " + json.dumps(report | changes))

        def fact(name):
            return self.browser.text(f"#sync [data-fact={name}]")

        told()
        self.browser.wait("!" + hidden)
        assert fact("state") == "wall clock awaited" and fact("error") == "–", fact("state")
        assert fact("television") == report["television"], "markup is no text"
        following = {"phase": "following", "state": "synchronising", "contentId": "dvb://1", "ratePpm": -812.34}
        told(**following, errorUs=-3_400, boundUs=1_250)
        self.browser.wait("document.querySelector('#sync [data-fact=state]').textContent === 'synchronising'")
        assert fact("error") == "-3.4 ms ± 1.3 ms" and fact("rate") == "-812.3 ppm", (fact("error"), fact("rate"))
        assert fact("content") == "dvb://1"
        points = "document.querySelector('#sync %s')?.getAttribute('points').split(' ')"
        self.browser.wait("(" + points % "polyline" + " ?? []).length >= 3")
        line, band = (self.browser.evaluate(points % name) for name in ("polyline", "polygon"))
        assert len(band) == 2 * len(line), "the band is that of the line"
        heights = [float(point.split(",")[1]) for point in (band[0], line[0], band[-1])]
        assert heights == sorted(heights) and len(set(heights)) == 3, heights
        # Nothing is known of the bound: the band fills the plot, and the line stays where it was.
        told(**following, errorUs=-3_400, boundUs=9_223_372_036_854_775)
        self.browser.wait(points % "polygon" + ".at(-1).endsWith(',31.0') || " + points % "polygon"
                          + ".some((point) => point.endsWith(',1.0'))")
        assert self.browser.evaluate(points % "polyline")[-1].split(",")[1] == line[0].split(",")[1]
        told(group="<b>gate</b>", groupRole="leading")
        self.browser.wait("document.querySelector('#sync [data-fact=group]').textContent === '<b>gate</b>: leading'")
        told(television=None)
        self.browser.wait(hidden)
        # A box of a group that follows nobody yet shows it.
        told(television=None, group="gate", groupRole="waiting")
        self.browser.wait("!" + hidden)
        told(television=None)
        self.browser.wait(hidden)
        self.clean()

    def two_hundred_channels(self):
        """Some of the first ones change every 50 ms: the list is whole, and shows it while it goes on."""
        self.open()
        self.browser.wait("document.querySelectorAll('#list li').length === 200", 30)
        names = self.browser.evaluate("[...document.querySelectorAll('#list .name')].map((it) => it.textContent)")
        assert names == [f"Channel {number}" for number in range(1, 201)], names
        assert self.browser.text("#list-note") == "200 channels"
        about = "document.querySelector('#list li .about').textContent"
        for _ in range(4):
            self.browser.wait(f"{about} !== {json.dumps(self.browser.evaluate(about))}", 30)
        click_channel(self.browser, "Channel 150")
        playing(self.browser, "Channel 150")
        for key in "177":
            self.browser.press(key)
        self.browser.press("Enter")
        playing(self.browser, "Channel 177")
        self.browser.press("ArrowDown")
        self.browser.press("Enter")
        playing(self.browser, "Channel 151")
        self.clean()
        return self.browser.evaluate(about)

    def choose(self, layout):
        self.browser.evaluate(
            f"(() => {{ const it = document.getElementById('layout'); it.value = '{layout}'; "
            "it.dispatchEvent(new Event('change')); })()")

    def settings_are_changed(self):
        self.open()
        self.browser.wait("document.querySelectorAll('#counter-list tr').length > 20")  # nothing moves any more
        self.browser.click("document.querySelector('#settings-fold summary')")
        self.browser.wait("document.getElementById('settings-fold').open")
        self.browser.wait("document.querySelectorAll('#setting-list button').length > 50")
        choose_quickly(self.browser, "/sound/volume", "/box/name")
        self.browser.click("document.getElementById('setting-filter')")
        for key in "volume":
            self.browser.press(key)
        self.browser.wait("document.querySelectorAll('#setting-list button').length === 1")
        self.browser.click("document.querySelector('#setting-list button')")
        self.browser.wait("document.getElementById('setting-about').textContent.includes('100')")
        answer = "document.getElementById('setting-answer').textContent"

        def write(value, button):
            self.browser.evaluate("document.getElementById('setting-value').value = " + json.dumps(value))
            self.browser.click(f"document.getElementById('{button}')")

        write("400", "setting-check")
        self.browser.wait(answer + ".includes('400') && " + answer + ".includes('100')")
        write("37", "setting-check")
        self.browser.wait(answer + " === 'Accepted: interrupts nothing.'")
        assert self.browser.text("#setting-list .value") != "37", "a check changes the setting"
        write("37", "setting-set")
        self.browser.wait("document.querySelector('#setting-list .value').textContent === '37'")
        self.browser.wait("document.getElementById('volume-text').textContent === '37'")
        self.browser.click("document.getElementById('setting-reset')")
        self.browser.wait("document.querySelector('#setting-list .value').textContent !== '37'")
        self.browser.wait("document.getElementById('volume-text').textContent !== '37'")
        self.browser.wait("document.getElementById('setting-value').value !== '37'")
        # An input that the box refuses is no error of the page.
        self.clean(expected=["network: Failed to load resource"])
        return self.browser.text("#setting-answer")

    def without_the_stream_there_are_screenshots(self):
        self.browser.open("about:blank")
        self.browser.call("Network.setBlockedURLs", urls=["*/v1/picture*"])
        self.browser.call("Page.addScriptToEvaluateOnNewDocument", source=BEFORE)
        self.browser.call("Page.navigate", url=self.url)
        self.browser.wait("document.getElementById('still')?.hidden === false && document.getElementById('still').width > 100")
        self.clean(expected=["network: Failed to load resource", "net::ERR"])

    def looks(self):
        """Screenshots for people."""
        self.open()
        click_channel(self.browser, "One")
        playing(self.browser, "One", "play")
        time.sleep(12)
        for name, theme, options in [("light", LIGHT, {}), ("dark", None, {}),
                                     ("phone", None, {"width": 360, "height": 720, "phone": True})]:
            if name != "light":
                self.open(**options)
                playing(self.browser, "One")
                time.sleep(8 if name == "dark" else 3)
            self.wear(theme)
            number(self.browser)
            path = os.path.join(self.directory, f"page-{name}.png")
            self.browser.evaluate("scrollTo(0, 0)")
            self.browser.screenshot(path)
            assert os.path.getsize(path) <= 200_000, f"{path} has {os.path.getsize(path)} octets"


# What is no check.
HANDS = ("__init__", "open", "clean", "choose", "wear")


def main():
    url, directory, *wanted = sys.argv[1:]
    without = {name.removeprefix("without:") for name in wanted if name.startswith("without:")}
    wanted = [name for name in wanted if not name.startswith("without:")]
    names = [name for name, value in vars(Checks).items() if callable(value) and name not in HANDS]
    browser = Browser()
    checks = Checks(browser, url, directory)
    failed = False
    try:
        for name in names:
            if wanted and name not in wanted or name in without:
                continue
            try:
                result, why = True, getattr(checks, name)() or ""
            except Exception as error:
                where = traceback.extract_tb(error.__traceback__)
                line = next((frame.lineno for frame in reversed(where) if frame.filename.endswith("page.py")), 0)
                result, why, failed = False, f"line {line}: {error}", True
            print(json.dumps({"check": name, "isOk": result, "why": str(why)}), flush=True)
    finally:
        browser.close()
    sys.exit(1 if failed else 0)


main()
