// SPDX-License-Identifier: Apache-2.0
import JSON
import Time

/// What a region is told of a venue.
extension SimulatedVenue {
    /// What of `state(of:…)` a region learns. It takes a tenth of the time.
    public func brief(
        of box: Int, since start: Nanoseconds, last: Nanoseconds, at instant: Nanoseconds
    ) -> JSONValue {
        let accessPoint = accessPoint(of: box)
        let delta = counts(of: box, from: start, to: instant) - counts(of: box, from: start, to: last)
        return [
            "identity": identity(of: box, start),
            "service": ["state": .string(delta.failedWindows == 0 ? "up" : "degraded")],
            "wifi": [
                [
                    "linkIndicator": .integer(indicator(delta)), "signalDbm": .integer(signal(of: box, at: instant)),
                    "accessPoint": .string(accessPoint.name),
                ]
            ],
            "accessPoints": [["packets": .integer(delta.packets), "lost": .integer(delta.lost)]],
        ]
    }

    /// What a venue received over one access point, and what not.
    public struct AirCounts: Equatable, Sendable {
        public let accessPoint: AccessPoint
        public internal(set) var packets: Int64 = 0
        public internal(set) var lost: Int64 = 0
        public internal(set) var windows: Int64 = 0
        public internal(set) var failedWindows: Int64 = 0
        /// Of all its boxes together.
        public internal(set) var seconds: Int64 = 0
        public internal(set) var signalSum: Int64 = 0
    }

    /// What came over each access point in a span.
    public func air(in span: Range<Nanoseconds>) -> [AirCounts] {
        (0..<accessPointCount).map { number in
            var air = AirCounts(accessPoint: accessPoint(number))
            let seconds = (span.upperBound - span.lowerBound).seconds
            for box in number * Self.boxesOfAccessPoint..<min(boxCount, (number + 1) * Self.boxesOfAccessPoint) {
                let counts =
                    counts(of: box, from: .zero, to: span.upperBound)
                    - counts(of: box, from: .zero, to: span.lowerBound)
                air.packets += counts.packets
                air.lost += counts.lost
                air.windows += counts.windows
                air.failedWindows += counts.failedWindows
                air.seconds += seconds
                air.signalSum += signal(of: box, at: span.upperBound) * seconds
            }
            return air
        }
    }
}
