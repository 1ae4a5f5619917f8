// SPDX-License-Identifier: Apache-2.0

/// Half blocks: a character for two rows of pixels, the upper one in the colour of the letter and the lower one in that
/// of its ground. Colours are those of the 256 that terminals number (`ESC [ 38;5;n m`): a cube of 6 x 6 x 6 from 16 on,
/// and 24 greys from 232 on.
extension TerminalPicture {
    /// Octets for each character of a picture, to which `blocks` keeps: 30,000 for 78 x 22 characters.
    public static let octetsOfCell = 17

    /// The most octets that `blocks` makes of this size.
    public var blocksLimit: Int { Self.octetsOfCell * width * ((height + 1) / 2) + 32 * ((height + 1) / 2) }

    /// Lines that each end with a reset of colours. A picture that would need more than `blocksLimit` octets has fewer
    /// changes of colour: one that hardly differs from its neighbour on the left takes the neighbour's.
    public var blocks: String {
        var text = ""
        for tolerance in [0, 24, 48, 96, 160, 256] {
            text = blocks(tolerance: tolerance)
            if text.utf8.count <= blocksLimit { break }
        }
        return text
    }

    /// - Parameter tolerance: the greatest difference of red, green or blue that is not shown.
    func blocks(tolerance: Int) -> String {
        var text = ""
        for y in stride(from: 0, to: height, by: 2) {
            var (letter, ground): (IndexedColour?, IndexedColour?) = (nil, nil)
            for x in 0..<width {
                let upper = IndexedColour(nearest: colour(x: x, y: y))
                let lower = IndexedColour(nearest: colour(x: x, y: min(y + 1, height - 1)))
                if ground?.differs(from: lower, by: tolerance) != false {
                    text += "\u{1b}[48;5;\(lower.index)m"
                    ground = lower
                }
                // Where both are alike, no letter is needed.
                if ground?.differs(from: upper, by: tolerance) == false {
                    text += " "
                    continue
                }
                if letter?.differs(from: upper, by: tolerance) != false {
                    text += "\u{1b}[38;5;\(upper.index)m"
                    letter = upper
                }
                text += "\u{2580}"
            }
            text += "\u{1b}[0m\n"
        }
        return text
    }
}

/// One of the colours that a terminal of 256 colours has by number.
struct IndexedColour: Hashable {
    let index: Int
    let red, green, blue: Int

    /// Levels of the cube.
    private static let levels = [0, 95, 135, 175, 215, 255]

    init(nearest colour: (red: Int, green: Int, blue: Int)) {
        func level(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : min(5, (value - 35) / 40) }
        let (r, g, b) = (level(colour.red), level(colour.green), level(colour.blue))
        let cube = (red: Self.levels[r], green: Self.levels[g], blue: Self.levels[b])
        let step = max(0, min(23, ((colour.red + colour.green + colour.blue) / 3 - 3) / 10))
        let grey = 8 + 10 * step
        func distance(_ other: (red: Int, green: Int, blue: Int)) -> Int {
            let (red, green, blue) = (
                other.red - colour.red, other.green - colour.green, other.blue - colour.blue
            )
            return red * red + green * green + blue * blue
        }
        if distance((grey, grey, grey)) < distance(cube) {
            (index, red, green, blue) = (232 + step, grey, grey, grey)
        } else {
            (index, red, green, blue) = (16 + 36 * r + 6 * g + b, cube.red, cube.green, cube.blue)
        }
    }

    func differs(from other: IndexedColour, by tolerance: Int) -> Bool {
        abs(red - other.red) > tolerance || abs(green - other.green) > tolerance || abs(blue - other.blue) > tolerance
    }
}
