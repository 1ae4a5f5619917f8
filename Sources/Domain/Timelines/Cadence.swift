// SPDX-License-Identifier: Apache-2.0
import Time

/// Chooses the vblank at which each picture of a stream is shown. It follows a pattern instead of taking the vblank
/// nearest to the due instant, because due instants halfway between two vblanks would go now to the one and now to the
/// other.
///
/// The stream's clock and the display's drift apart. When pictures are due more than half a slot and a tenth of a
/// vblank's time away from their slot in the pattern, the pattern moves once by one slot: one picture is shown for a
/// vblank more or less.
public struct Cadence: Sendable {
    /// The vblank of one picture, and what it does to the pattern.
    public struct Place: Sendable, Equatable {
        public let vblank: Int64
        /// The slots by which the pattern moves for this picture: 1 for a vblank more, -1 for one less, otherwise 0.
        public let shift: Int64
        /// The vblanks by which the shift moves this picture itself. In a pattern of several pictures it may be 0,
        /// because the shift takes effect at a later picture.
        public let displacement: Int64
        /// Whether the picture starts a new sequence, for which the pattern had no position.
        public let isAnew: Bool
        fileprivate let slot: Int64
    }

    /// In `VBlankClock.parts` of a vblank.
    private static let hysteresis = VBlankClock.parts / 10
    /// The hysteresis for pictures that other displays show too.
    private static let sharedHysteresis = Nanoseconds.microseconds(300)

    /// Whether other displays show the same pictures. Then each picture is shown within half a vblank of its due instant,
    /// as nearly as is possible without going to and fro: so two displays differ by one vblank at most. Due instants that
    /// are off by chance are not smoothed as far as otherwise.
    public var isShared = false
    public private(set) var pattern: CadencePattern?
    private var generation = -1
    private var slot: Int64 = 0
    /// Media time of the last picture; nil if the next picture is the first.
    private var last: Monotonic?
    /// The picture from which `length` is measured, and the number of pictures since then.
    private var start = Monotonic(nanoseconds: 0)
    private var count: Int64 = 0
    private var length = Nanoseconds.zero

    public init() {}

    /// The next picture has no relation to those before.
    public mutating func reset() {
        last = nil
        count = 0
    }

    /// The place of the picture that follows the last one taken.
    /// - Parameters:
    ///   - time: media time of the picture.
    ///   - due: the instant at which it should be visible.
    public func place(_ time: Monotonic, due: Monotonic, on clock: VBlankClock) -> Place {
        let position = clock.position(of: due)
        guard let pattern, generation == clock.generation, continues(time) else { return anew(position) }
        let expected = slot + pattern.vblanks
        let error = position - pattern.position(ofSlot: expected)
        let limit = VBlankClock.parts / (2 * pattern.pictures) + hysteresis(on: clock)
        if abs(error) > limit + VBlankClock.parts { return anew(position) }
        let shift: Int64 = error > limit ? 1 : error < -limit ? -1 : 0
        let vblank = pattern.vblank(ofSlot: expected + shift)
        return Place(
            vblank: vblank, shift: shift, displacement: vblank - pattern.vblank(ofSlot: expected), isAnew: false,
            slot: expected + shift)
    }

    private func hysteresis(on clock: VBlankClock) -> Int64 {
        guard isShared, clock.span > .zero else { return Self.hysteresis }
        return min(Self.hysteresis, Self.sharedHysteresis.count * VBlankClock.parts / clock.span.count)
    }

    /// The vblank of the picture's second field.
    public func secondField(of place: Place) -> Int64 {
        guard let pattern, !place.isAnew else { return place.vblank + 1 }
        return max(place.vblank + 1, pattern.vblank(ofSlot: place.slot + pattern.vblanks / 2))
    }

    private func anew(_ position: Int64) -> Place {
        let slot = pattern?.slot(nearest: position) ?? 0
        let vblank = pattern?.vblank(ofSlot: slot) ?? (position + VBlankClock.parts / 2) >> 16
        return Place(vblank: vblank, shift: 0, displacement: 0, isAnew: true, slot: slot)
    }

    /// Whether the picture directly follows the last one, with none missing between them.
    private func continues(_ time: Monotonic) -> Bool {
        guard let last, length > .zero else { return false }
        return (time - last - length).magnitude < length / 2
    }

    /// Records that the picture is shown at its place, or left out.
    public mutating func take(_ place: Place, _ time: Monotonic, due: Monotonic, on clock: VBlankClock) {
        slot = place.slot
        generation = clock.generation
        measure(time)
        last = time
        // The pattern is examined each time that the number of measured pictures has doubled.
        guard count > 0, count & (count - 1) == 0 else { return }
        if let pattern, pattern.fits(picture: length, vblank: clock.span) { return }
        // The doubt covers time stamps that are rounded to milliseconds.
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
