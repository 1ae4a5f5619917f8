# SPDX-License-Identifier: Apache-2.0
"""A plot of lines, bands and points over time as a picture, without a library."""

PAPER, GRID, AXIS, MARK = (250, 250, 247), (226, 226, 222), (110, 110, 110), (200, 120, 0)


class Plot:
    """A picture of `width` × `height` whose x is seconds from `start` to `end` and whose y is between ±`limit`: what is
    beyond lies on the edge."""

    def __init__(self, width, height, start, end, limit):
        self.width, self.height, self.start, self.end, self.limit = width, height, start, max(end, start + 1), limit
        self.pixels = bytearray(bytes(PAPER) * (width * height))

    def column(self, second):
        return min(self.width - 1, max(0, round((second - self.start) / (self.end - self.start) * (self.width - 1))))

    def row(self, value):
        value = min(self.limit, max(-self.limit, value))
        return round((self.limit - value) / (2 * self.limit) * (self.height - 1))

    def column_line(self, column, top, bottom, colour, opacity=1.0):
        for row in range(max(0, min(top, bottom)), min(self.height - 1, max(top, bottom)) + 1):
            place = (row * self.width + column) * 3
            for part in range(3):
                before = self.pixels[place + part]
                self.pixels[place + part] = round(before + (colour[part] - before) * opacity)

    def grid(self, step):
        """A line at each multiple of `step`, the one at 0 darker."""
        count = int(self.limit / step)
        for value in range(-count, count + 1):
            row, colour = self.row(value * step), GRID if value else AXIS
            self.pixels[row * self.width * 3 : (row + 1) * self.width * 3] = bytes(colour) * self.width

    def mark(self, second):
        """A dashed line at an instant."""
        for row in range(0, self.height, 8):
            self.column_line(self.column(second), row, row + 4, MARK)

    def line(self, points, colour, gap=1.0):
        """Through points of second and value; broken where two are more than `gap` seconds apart."""
        for (before, first), (after, second) in zip(points, points[1:]):
            if after - before > gap:
                continue
            left, right = self.column(before), self.column(after)
            last = self.row(first)
            for column in range(left, right + 1):
                share = (column - left) / max(1, right - left)
                row = round(self.row(first) + (self.row(second) - self.row(first)) * share)
                self.column_line(column, last, row, colour)
                self.column_line(column, row, row + 1, colour)
                last = row

    def band(self, points, colour, gap=1.0):
        """Between the lower and the upper value of points of second, lower, upper."""
        for (before, *first), (after, *second) in zip(points, points[1:]):
            if after - before > gap:
                continue
            left, right = self.column(before), self.column(after)
            for column in range(left, max(left + 1, right)):
                share = (column - left) / max(1, right - left)
                low, high = (one + (other - one) * share for one, other in zip(first, second))
                self.column_line(column, self.row(high), self.row(low), colour, opacity=0.15)

    def points(self, points, colour):
        """A square for each pair of second and value."""
        for second, value in points:
            middle, row = self.column(second), self.row(value)
            for column in range(max(0, middle - 2), min(self.width, middle + 3)):
                self.column_line(column, row - 2, row + 2, colour)

    def write(self, path):
        with open(path, "wb") as file:
            file.write(b"P6\n%d %d\n255\n" % (self.width, self.height) + self.pixels)
