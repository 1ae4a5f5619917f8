// SPDX-License-Identifier: Apache-2.0

/// DEC's sixel graphics (VT330/VT340 Programmer Reference Manual, chapter 14): bands of six rows. A character from `?` on
/// has six bits, the lowest is the uppermost row, for one colour; `!n` repeats the next character, `$` begins the band
/// again for the next colour, and `-` begins the next band.
extension TerminalPicture {
    /// Levels of red, green and blue: 0, 20 ... 100 %.
    private static let levels = 6
    private static let colourCount = levels * levels * levels

    /// The picture in a palette of 6 x 6 x 6 colours.
    public var sixel: String {
        let indices = paletteIndices
        // The picture's pixels are square, and each is drawn (second parameter: pixels that are not keep their colour).
        var text = Array("\u{1b}P0;1;0q\"1;1;\(width);\(height)".utf8)
        var isUsed = [Bool](repeating: false, count: Self.colourCount)
        for index in indices { isUsed[Int(index)] = true }
        for index in 0..<Self.colourCount where isUsed[index] {
            let (red, green, blue) = (index / 36 * 20, index / 6 % 6 * 20, index % 6 * 20)
            text += "#\(index);2;\(red);\(green);\(blue)".utf8
        }
        var band = SixelBand(width: width, colours: Self.colourCount)
        for top in stride(from: 0, to: height, by: 6) {
            for row in top..<min(top + 6, height) { band.add(indices[row * width..<(row + 1) * width], row - top) }
            band.write(to: &text)
            if top + 6 < height { text.append(UInt8(ascii: "-")) }
        }
        text += "\u{1b}\\".utf8
        return String(decoding: text, as: UTF8.self)
    }

    private var paletteIndices: [UInt8] {
        func level(_ value: UInt8) -> Int { (Int(value) * (Self.levels - 1) + 127) / 255 }
        return stride(from: 0, to: pixels.count, by: 3).map { place in
            UInt8(level(pixels[place]) * 36 + level(pixels[place + 1]) * 6 + level(pixels[place + 2]))
        }
    }
}

/// Six rows of pixels by their colours.
private struct SixelBand {
    private let width: Int
    /// For each colour the place of its bits in `bits`, which are `width` octets; nil if the band does not have it.
    private var places: [Int?]
    /// The colours of the band, in the order in which they came.
    private var colours: [Int] = []
    private var bits: [UInt8] = []

    init(width: Int, colours: Int) {
        self.width = width
        places = Array(repeating: nil, count: colours)
    }

    /// - Parameter row: of the band, 0...5.
    mutating func add(_ indices: ArraySlice<UInt8>, _ row: Int) {
        for (x, index) in indices.enumerated() { bits[place(of: Int(index)) + x] |= 1 << UInt8(row) }
    }

    private mutating func place(of colour: Int) -> Int {
        if let place = places[colour] { return place }
        let place = bits.count
        places[colour] = place
        colours.append(colour)
        bits += repeatElement(0, count: width)
        return place
    }

    /// Writes the band and empties it.
    mutating func write(to text: inout [UInt8]) {
        for (number, colour) in colours.enumerated() {
            let place = number * width
            text += (number == 0 ? "#\(colour)" : "$#\(colour)").utf8
            writeRuns(of: bits[place..<place + width], to: &text)
            places[colour] = nil
        }
        colours.removeAll(keepingCapacity: true)
        bits.removeAll(keepingCapacity: true)
    }

    private func writeRuns(of octets: ArraySlice<UInt8>, to text: inout [UInt8]) {
        var rest = octets
        while let last = rest.last, last == 0 { rest.removeLast() }  // what is not drawn at the end
        while let value = rest.first {
            let count = rest.prefix { $0 == value }.count
            rest.removeFirst(count)
            let character = 63 + value
            if count > 3 {
                text += "!\(count)".utf8
                text.append(character)
            } else {
                text += repeatElement(character, count: count)
            }
        }
    }
}
