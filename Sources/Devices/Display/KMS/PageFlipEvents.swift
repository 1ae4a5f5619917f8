// SPDX-License-Identifier: Apache-2.0
import Time

/// The events of a card, for those who drive its screens: each is asked for by its token, and whoever waits hears of all.
/// - Thread: one.
final class PageFlipEvents {
    /// Nobody asks for those of what was given up.
    private static let most = 16

    private var token: UInt64 = 0
    private var unclaimed: [PageFlip] = []

    init() { unclaimed.reserveCapacity(Self.most) }

    func nextToken() -> UInt64 {
        token &+= 1
        return token
    }

    /// - Parameters:
    ///   - device: the same in all calls, as long as it is there.
    ///   - timeout: what is left of it.
    func take(
        _ token: UInt64, from device: any KMSDevice, timeout: () -> Nanoseconds = { .zero }
    ) throws(DisplayError) -> PageFlip? {
        if let place = unclaimed.firstIndex(where: { $0.token == token }) { return unclaimed.remove(at: place) }
        while let event = try device.takeFlip(timeout: max(.zero, timeout())) {
            if event.token == token { return event }
            if unclaimed.count == Self.most { unclaimed.removeFirst() }
            unclaimed.append(event)
        }
        return nil
    }
}
