// SPDX-License-Identifier: Apache-2.0
import Hosting
import Shapes
import Time

/// Tells when the machine was suspended, by what the kernel counts of that.
struct SuspensionWatch {
    /// A shorter suspension interrupts nothing.
    static let least = Nanoseconds.seconds(1)

    /// How long the machine had been suspended when that was last told.
    private var total: Nanoseconds

    init(_ total: Nanoseconds) { self.total = total }

    /// - Parameter new: how long the machine has been suspended since it booted.
    /// - Returns: the length of the suspension that has ended; nil if there was none.
    mutating func ended(_ new: Nanoseconds) -> Nanoseconds? {
        guard new - total >= Self.least else { return nil }
        defer { total = new }
        return new - total
    }
}

struct ServiceResumed: FeatureEvent {
    let seconds: Int

    static let about = EventAbout(
        .service, "resumed", "The machine was suspended, and the service goes on: channels are opened and joined anew.")
    static let shape = Shape<Self>([
        .value("suspendedS", \.seconds, .count, "for how many seconds it was suspended")
    ])
}
