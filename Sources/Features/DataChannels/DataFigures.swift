// SPDX-License-Identifier: Apache-2.0
import DataMessages
import Statistics

/// Counters of all data channels together.
struct DataFigures: Sendable {
    var messages: MessageCounters
    var channelsJoined: Int
    var overflows: Int64
    var consumers: DataConsumers.Counters

    static let statistics: [Statistic<Self>] = ofMessages + ofReceivers + ofConsumers

    private static let ofMessages: [Statistic<Self>] = MessageCounters.statistics.map { $0.of(\.messages) }
    private static let ofReceivers: [Statistic<Self>] = [
        .gauge("channelsJoined", \.channelsJoined, "channels", "Data channels that are received."),
        .counter("overflows", \.overflows, "packets", "Packets for which the queue had no room.", .fault),
    ]
    private static let ofConsumers: [Statistic<Self>] = DataConsumers.Counters.statistics.map { $0.of(\.consumers) }
}
