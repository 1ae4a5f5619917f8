// SPDX-License-Identifier: Apache-2.0
import JSON
import Time

/// What a run has come to, for people and for programs.
struct SimulatorTally {
    private(set) var latency = LatencyTally()
    /// Of the time since the last line.
    private var recent = LatencyTally()
    /// Of the current second of real time.
    private var second: Int64 = 0
    private var arrivedInSecond = 0
    private var acknowledgedInSecond = 0
    /// Reports in requests, and reports that were acknowledged, in the second that had most of them.
    private(set) var mostArrived = 0
    private(set) var mostAcknowledged = 0

    mutating func sent(_ reports: Int, at elapsed: Nanoseconds) {
        turn(to: elapsed)
        arrivedInSecond += reports
        mostArrived = max(mostArrived, arrivedInSecond)
    }

    mutating func answered(_ latency: Nanoseconds, acknowledged: Int, at elapsed: Nanoseconds) {
        turn(to: elapsed)
        self.latency.count(latency)
        recent.count(latency)
        acknowledgedInSecond += acknowledged
        mostAcknowledged = max(mostAcknowledged, acknowledgedInSecond)
    }

    private mutating func turn(to elapsed: Nanoseconds) {
        guard elapsed.seconds != second else { return }
        (second, arrivedInSecond, acknowledgedInSecond) = (elapsed.seconds, 0, 0)
    }

    /// One line of the report, without a line feed.
    /// - Parameters:
    ///   - isFinal: whether answers of the whole run are told, else those since the last line.
    mutating func line(
        _ fleet: SimulatedFleet, elapsed: Nanoseconds, simulated: Nanoseconds, isFinal: Bool, isJSON: Bool
    ) -> String {
        let latency = isFinal ? latency : recent
        recent = LatencyTally()
        let counters = fleet.counters
        guard !isJSON else {
            return
                ([
                    "isFinal": .bool(isFinal), "elapsedS": .integer(elapsed.seconds),
                    "simulatedS": .integer(simulated.seconds), "boxes": .integer(Int64(fleet.venue.boxCount)),
                    "made": .integer(Int64(counters.made)), "sent": .integer(Int64(counters.sent)),
                    "acknowledged": .integer(Int64(counters.acknowledged)),
                    "refused": .integer(Int64(counters.refused)), "lost": .integer(Int64(fleet.lostCount)),
                    "requests": .integer(Int64(counters.requests)), "failures": .integer(Int64(counters.failures)),
                    "backlog": .integer(Int64(fleet.pendingCount)),
                    "latencyMs": [
                        "p50": .number(Self.ms(latency.quantile(0.5))), "p99": .number(Self.ms(latency.quantile(0.99))),
                        "max": .number(Self.ms(latency.longest)),
                    ],
                    "mostArrivedPerS": .integer(Int64(mostArrived)),
                    "mostAcknowledgedPerS": .integer(Int64(mostAcknowledged)),
                ] as JSONValue).text()
        }
        return """
            \(isFinal ? "end" : "\(elapsed.seconds) s"): \(fleet.venue.boxCount) boxes, \(counters.made) reports made, \
            \(counters.sent) sent, \(counters.acknowledged) acknowledged, \(counters.refused) refused, backlog \
            \(fleet.pendingCount); \(counters.requests) requests, \(counters.failures) failures; acknowledged within p50 \
            \(Self.ms(latency.quantile(0.5))) ms, p99 \(Self.ms(latency.quantile(0.99))) ms, max \
            \(Self.ms(latency.longest)) ms; most a second: \(mostArrived) arrived, \(mostAcknowledged) acknowledged
            """
    }

    private static func ms(_ time: Nanoseconds) -> Double { Double(time.microseconds / 100) / 10 }
}
