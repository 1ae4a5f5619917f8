// SPDX-License-Identifier: Apache-2.0
import Time

/// Passes the page flip events of a card, by token, to those who drive its screens. While one of them waits, it keeps
/// the others' events for them.
/// - Thread: one.
final class PageFlipEvents {
    /// Limit on kept events. Those of commits that were given up are never asked for.
    private static let most = 16

    private var token: UInt64 = 0
    private var unclaimed: [PageFlip] = []

    init() { unclaimed.reserveCapacity(Self.most) }

    func nextToken() -> UInt64 {
        token &+= 1
        return token
    }

    /// - Parameters:
    ///   - device: the same device in all calls while it exists.
    ///   - timeout: the remaining time, asked before each wait.
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
