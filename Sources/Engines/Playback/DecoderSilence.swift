// SPDX-License-Identifier: Apache-2.0
import Time

/// Notices a decoder that takes units and outputs no picture, so that the picture stands still while the sound goes on
/// (PLAY-45).
struct DecoderSilence: Sendable {
    /// More units than any decoder keeps: 16 pictures of two fields each (H.264, A.3.1), and one for each of 16 threads. Those
    /// that it has lost in a jump of the stream count too, or a stream that jumps often would hide its silence.
    private static let mostKept = 48
    private static let shortest = Nanoseconds.seconds(2)
    private static let longest = Nanoseconds.seconds(32)

    /// Number of units that the decoder has taken since it output a picture.
    private(set) var units = 0
    /// Number of further pictures that the decoder withholds, because they are wrong.
    private var withheld = 0
    /// When it took the first of them.
    private var since: Monotonic?
    /// How long a decoder may be silent. It is doubled with each replacement of the last decoder there is until a picture
    /// comes, because the stream may be at fault.
    private var patience = shortest

    mutating func unitSent(at now: Monotonic) {
        units += 1
        since = since ?? now
    }

    /// Decoding begins with a recovery point.
    mutating func begin(withholding pictures: Int) { withheld = pictures }

    mutating func pictureCame() {
        end()
        patience = Self.shortest
    }

    /// The units are no longer awaited, because the stage takes no pictures.
    mutating func end() {
        units = 0
        withheld = 0
        since = nil
    }

    /// - Parameter isLast: whether no other kind of decoder is left.
    mutating func decoderReplaced(isLast: Bool) {
        end()
        if isLast { patience = min(patience + patience, Self.longest) }
    }

    /// - Parameter isFull: whether the decoder takes no further unit.
    func isTooLong(at now: Monotonic, isFull: Bool) -> Bool {
        guard let since, isFull || units > Self.mostKept + withheld else { return false }
        return now - since >= patience
    }
}
