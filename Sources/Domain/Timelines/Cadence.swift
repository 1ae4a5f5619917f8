// SPDX-License-Identifier: Apache-2.0
import Time

/// At which vblank each picture of a stream is shown: by a pattern, and not by whichever vblank is nearest to the instant
/// at which it is due, so that instants halfway between two vblanks do not go now to the one and now to the other.
///
/// The stream's clock and the display's drift apart. When pictures are due a tenth of a vblank's time beyond half a slot
/// from where the pattern has them, the pattern moves by one slot, once: a picture is shown for a vblank more or less.
public struct Cadence: Sendable {
    /// Where one picture belongs.
    public struct Place: Sendable, Equatable {
        public let vblank: Int64
        /// By which the pattern moves for it: 1, a vblank more; -1, one less.
        public let shift: Int64
        /// What the shift makes of its vblank at once: of several pictures in a pattern it may show in a later one only.
        public let displacement: Int64
        /// Nothing says where the pattern was.
        public let isAnew: Bool
        fileprivate let slot: Int64
    }

    /// In `VBlankClock.parts`.
    private static let hysteresis = VBlankClock.parts / 10

    public private(set) var pattern: CadencePattern?
    private var generation = -1
    private var slot: Int64 = 0
    /// The last picture, in media time; nil: the next is the first.
    private var last: Monotonic?
    /// From where the pictures' length is measured, and how many that are.
    private var start = Monotonic(nanoseconds: 0)
    private var count: Int64 = 0
    private var length = Nanoseconds.zero

    public init() {}

    /// What comes next has nothing to do with what was.
    public mutating func reset() {
        last = nil
        count = 0
    }

    /// Of the picture behind the one that was taken last.
    /// - Parameters:
    ///   - time: of the picture in its stream.
    ///   - due: when it should be visible.
    public func place(_ time: Monotonic, due: Monotonic, on clock: VBlankClock) -> Place {
        let position = clock.position(of: due)
        guard let pattern, generation == clock.generation, continues(time) else { return anew(position) }
        let expected = slot + pattern.vblanks
        let error = position - pattern.position(ofSlot: expected)
        let limit = VBlankClock.parts / (2 * pattern.pictures) + Self.hysteresis
        if abs(error) > limit + VBlankClock.parts { return anew(position) }
        let shift: Int64 = error > limit ? 1 : error < -limit ? -1 : 0
        let vblank = pattern.vblank(ofSlot: expected + shift)
        return Place(
            vblank: vblank, shift: shift, displacement: vblank - pattern.vblank(ofSlot: expected), isAnew: false,
            slot: expected + shift)
    }

    /// Of its second field.
    public func secondField(of place: Place) -> Int64 {
        guard let pattern, !place.isAnew else { return place.vblank + 1 }
        return max(place.vblank + 1, pattern.vblank(ofSlot: place.slot + pattern.vblanks / 2))
    }

    private func anew(_ position: Int64) -> Place {
        let slot = pattern?.slot(nearest: position) ?? 0
        let vblank = pattern?.vblank(ofSlot: slot) ?? (position + VBlankClock.parts / 2) >> 16
        return Place(vblank: vblank, shift: 0, displacement: 0, isAnew: true, slot: slot)
    }

    /// Whether it is the picture behind the last one, none missing.
    private func continues(_ time: Monotonic) -> Bool {
        guard let last, length > .zero else { return false }
        return (time - last - length).magnitude < length / 2
    }

    /// The picture is shown there, or left out.
    public mutating func take(_ place: Place, _ time: Monotonic, due: Monotonic, on clock: VBlankClock) {
        slot = place.slot
        generation = clock.generation
        measure(time)
        last = time
        // Looked at each time that twice as much is known.
        guard count > 0, count & (count - 1) == 0 else { return }
        if let pattern, pattern.fits(picture: length, vblank: clock.span) { return }
        // Time stamps may be rounded to milliseconds.
        let new = CadencePattern(picture: length, vblank: clock.span, doubt: 2_000 + 40_000 / count)
        guard new != pattern else { return }
        pattern = new
        slot = new.slot(nearest: clock.position(of: due))
    }

    private mutating func measure(_ time: Monotonic) {
        guard let last, time > last else { return begin(at: time) }
        if length > .zero, !continues(time) {
            length = .zero
            return begin(at: time)
        }
        count += 1
        length = (time - start) / count
        if count == 1_024 { begin(at: time) }
    }

    private mutating func begin(at time: Monotonic) {
        start = time
        count = 0
    }
}
