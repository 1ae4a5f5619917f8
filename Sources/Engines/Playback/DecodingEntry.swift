// SPDX-License-Identifier: Apache-2.0
import Media
import Time

/// How decoding begins with a unit.
enum DecodingEntry: Hashable, Sendable {
    /// All pictures are right.
    case point
    /// The decoder withholds pictures until they are right, at a recovery point.
    case recovery(pictures: Int)
    /// Pictures are shown as they come, and are wrong until the stream has refreshed them.
    case anywhere

    /// The best that begins with this unit.
    init(_ unit: AccessUnit) {
        switch (unit.recovery, unit.isDamaged) {
        case (0, false): self = .point
        case (let pictures?, false): self = .recovery(pictures: pictures)
        case (_, _): self = .anywhere
        }
    }
}

/// Decides with which unit decoding begins. That is a complete random-access point or recovery point. Some streams have
/// none, and on a network that loses packets none may be complete: then it begins with less, as players do, so that
/// there is a picture.
struct EntryGate: Sendable {
    private static let patience = Nanoseconds.seconds(2)
    /// An incomplete random-access point is enough if it comes this late. The next one is no better under such a loss, and
    /// whoever waits for it waits longer than `patience`.
    private static let pointPatience = Nanoseconds.seconds(1)

    /// When the first unit came.
    private var since: Monotonic?
    private var hadDamagedPoint = false

    /// - Returns: nil if decoding does not begin with this unit.
    mutating func entry(with unit: AccessUnit, at now: Monotonic) -> DecodingEntry? {
        let waited = now - (since ?? now)
        since = since ?? now
        let entry = DecodingEntry(unit)
        guard entry == .anywhere else { return entry }
        guard unit.hasParameterSets else { return nil }
        let isEnough = unit.isRandomAccess && (hadDamagedPoint || waited >= Self.pointPatience)
        hadDamagedPoint = hadDamagedPoint || unit.isRandomAccess
        return isEnough || waited >= Self.patience ? .anywhere : nil
    }

    /// Decoding begins anew.
    mutating func reset() { self = EntryGate() }
}
