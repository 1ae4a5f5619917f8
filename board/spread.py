# SPDX-License-Identifier: Apache-2.0
"""How far apart boxes are that show one channel: by what they say, and by the frame numbers in their screenshots."""

import os
import statistics
import subprocess

from emulator import Screen
from plot import Plot

SIZE, RATE = (640, 360), 25  # of the channel and of the screenshots
COLOURS = ((90, 90, 90), (214, 39, 40), (31, 119, 180), (44, 160, 44), (148, 103, 189), (140, 86, 75), (227, 119, 194),
           (23, 190, 207))  # fmt: skip
SPREAD = (0, 0, 0)


class Failure(Exception):
    """What the boxes did not do."""


def origin(look):
    """When picture 0 stood there or would have, were it always played as it is now, in seconds."""
    return look.second - (look.counter + 0.5) / RATE


class Spread:
    """Made of rows of looks, a look of each box at about the same time, and of reports: pairs of second and what each box
    but the first says by its number, how late it is and how wrong that may be, in ms; None while it does not know it."""

    def __init__(self, rows, reports, work):
        self.rows, self.reports, self.work, self.texts = rows, reports, work, 0

    def read_counters(self):
        """The frame number in each screenshot; None where there is none."""
        looks = [look for row in self.rows for look in row]
        octets = SIZE[0] * SIZE[1] * 3
        pixels = self.ffmpeg("-i", os.path.join(self.work, "look%d.png"), "-f", "rawvideo", "-pix_fmt", "rgb24", "-")
        if len(pixels) != len(looks) * octets:
            raise Failure("screenshots of another size")
        for index, look in enumerate(looks):
            picture = pixels[index * octets :][:octets]
            look.counter = Screen(b"P6\n%d %d\n255\n" % SIZE + picture).counter(SIZE[0])

    def ffmpeg(self, *arguments):
        command = ["ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-y", *arguments]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, timeout=60).stdout

    def distances(self):
        """By box: pairs of second and ms by which its counter is behind that of the first box."""
        distances = {look.box: [] for look in self.rows[0]}
        for first, *others in self.rows:
            for look in [first, *others]:
                if first.counter is not None and look.counter is not None:
                    distances[look.box].append((look.second, (origin(look) - origin(first)) * 1000))
        return distances

    @property
    def reported(self):
        """From the first to the last box by their own reports: pairs of second and ms."""
        spreads = []
        for second, by_box in self.reports:
            if None not in by_box.values():
                errors = [0.0] + [error for error, _ in by_box.values()]
                spreads.append((second, max(errors) - min(errors)))
        return spreads

    def counted(self, began):
        """The same by the counters since an instant, in ms."""
        medians = [statistics.median(ms for second, ms in points if second >= began)
                   for points in self.distances().values()]  # fmt: skip
        return max(medians) - min(medians)

    # The picture

    def draw(self, marks, labels, began, path):
        """Screenshots of one moment since `began`, each under its label, and below them a plot of everything.

        `marks` are pairs of second and what happened then."""
        row = self.last_row(began)
        columns = 1920 // len(row) // 2 * 2
        rows = columns * SIZE[1] // SIZE[0] // 2 * 2
        plot, texts = self.plot(columns * len(row), marks)
        plot_path = os.path.join(self.work, "plot.ppm")
        plot.write(plot_path)
        parts = []
        for index, look in enumerate(row):
            label = self.text(f"{labels[index]}, picture {look.counter}")
            parts.append(f"[{index}]scale={columns}:{rows}:flags=area,pad=iw:ih+40:0:40:0x{'%02x%02x%02x' % COLOURS[index]},"
                         f"drawtext={label}:x=10:y=10:fontsize=20:fontcolor=white[box{index}]")  # fmt: skip
        boxes = "".join(f"[box{index}]" for index in range(len(row)))
        drawn = ",".join(f"drawtext={self.text(what)}:x={x}:y={y}:fontsize=18:fontcolor=0x303030" for x, y, what in texts)
        parts.append(f"{boxes}hstack=inputs={len(row)}[boxes];[{len(row)}]{drawn}[plot];[boxes][plot]vstack")
        inputs = [word for file in [look.path for look in row] + [plot_path] for word in ("-i", file)]
        self.ffmpeg(*inputs, "-filter_complex", ";".join(parts), "-frames:v", "1", path)

    def last_row(self, began):
        """Of the rows since then the one that was taken most quickly: the nearest to one moment."""
        rows = [row for row in self.rows if row[0].second >= began and None not in [look.counter for look in row]]
        if not rows:
            raise Failure("no frame number in the screenshots")
        return min(rows, key=lambda row: max(look.took for look in row))

    def plot(self, width, marks, height=420):
        """The plot, and the texts that belong on it with their places."""
        distances, limit, step = self.distances(), 60.0, 10.0
        if not self.reports:
            limit = 1.2 * max(abs(ms) for points in distances.values() for _, ms in points) + 10
            step = limit / 6
        plot = Plot(width, height, marks[0][0], self.rows[-1][0].second, limit)
        plot.grid(step)
        for second, _ in marks:
            plot.mark(second)
        for (number, points), colour in zip(distances.items(), COLOURS):
            own = [(second, *by_box[number]) for second, by_box in self.reports if by_box.get(number)]
            plot.band([(second, error - bound, error + bound) for second, error, bound in own], colour)
            plot.line([(second, error) for second, error, _ in own], colour)
            plot.points(points, colour)
        plot.line(self.reported, SPREAD)
        texts = [(plot.column(second) + 6, 8 + 22 * (index % 3), what) for index, (second, what) in enumerate(marks)]
        texts += [(6, plot.row(times * step) - 9, f"{times * step:+.0f} ms") for times in (-4, -2, 2, 4)]
        legend = "squares: how late each box is by the counters"
        if self.reports:
            legend += "; lines: how late it says it is, with its bound; black: from the first to the last by that"
        return plot, texts + [(6, height - 26, legend)]

    def text(self, words):
        """A text in a file of its own: no character of it means anything to a filter."""
        self.texts += 1
        path = os.path.join(self.work, f"text{self.texts}")
        with open(path, "w") as file:
            file.write(words)
        return f"textfile={path}"
