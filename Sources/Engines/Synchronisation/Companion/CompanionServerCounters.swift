// SPDX-License-Identifier: Apache-2.0
import Statistics

/// What a server of CSS-CII or CSS-TS counts of its clients.
public struct CompanionServerCounters: Hashable, Sendable {
    public var clientsOpened: UInt64 = 0
    public var clientsRefusedDisabled: UInt64 = 0
    public var clientsRefusedFull: UInt64 = 0
    public var clientsRefusedPath: UInt64 = 0
    /// Clients that were closed because they did not take what was sent.
    public var clientsSlow: UInt64 = 0
    public var messagesSent: UInt64 = 0

    public init() {}

    mutating func count(_ refusal: CompanionAdmission.Refusal) {
        switch refusal {
        case .disabled: clientsRefusedDisabled += 1
        case .notFound: clientsRefusedPath += 1
        case .full: clientsRefusedFull += 1
        }
    }

    /// - Parameter clients: where these counters are among the server's.
    static func statistics<Counters>(
        _ clients: any KeyPath<Counters, Self> & Sendable
    ) -> [Statistic<Counters>] {
        func counter(
            _ name: String, _ member: any KeyPath<Self, UInt64> & Sendable, _ unit: StatisticUnit, _ help: String,
            _ traits: StatisticDescription.Traits = []
        ) -> Statistic<Counters> {
            Statistic(name, .counter, unit, help, traits) {
                .integer(Int64(clamping: $0[keyPath: clients][keyPath: member]))
            }
        }
        return [
            counter("clientsOpened", \.clientsOpened, "connections", "Companions that were let in."),
            counter(
                "clientsRefusedDisabled", \.clientsRefusedDisabled, "connections",
                "Companions that were refused because the service is disabled."),
            counter(
                "clientsRefusedFull", \.clientsRefusedFull, "connections",
                "Companions that were refused because there were too many.", .fault),
            counter(
                "clientsRefusedPath", \.clientsRefusedPath, "connections",
                "Companions that were refused because they asked for another path."),
            counter(
                "clientsSlow", \.clientsSlow, "connections",
                "Companions that were closed because they did not take what was sent.", .fault),
            counter("messagesSent", \.messagesSent, "messages", "Messages that were sent to companions."),
        ]
    }
}
