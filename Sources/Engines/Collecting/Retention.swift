// SPDX-License-Identifier: Apache-2.0
import Time

/// How long what is kept. Rules only: a store carries them out, a bounded part at a time.
public struct Retention: Equatable, Sendable {
    /// What sums are made over.
    public enum Resolution: String, Sendable, CaseIterable {
        case minute, hour

        public var milliseconds: Int64 { self == .minute ? 60_000 : 3_600_000 }
    }

    /// Reports with their texts.
    public var raw = Nanoseconds.seconds(72 * 3_600)
    public var minutes = Nanoseconds.seconds(30 * 86_400)
    public var hours = Nanoseconds.seconds(730 * 86_400)

    public init() {}

    static let dayMilliseconds: Int64 = 86_400_000

    /// Days since 1970 of a time.
    static func day(of time: WallTime) -> Int64 { floor(time.milliseconds, dayMilliseconds) }

    /// The beginning of the minute or hour that a time is in, ms.
    static func begin(of time: WallTime, _ resolution: Resolution) -> Int64 {
        number(of: time, resolution) * resolution.milliseconds
    }

    /// Minutes or hours since 1970.
    static func number(of time: WallTime, _ resolution: Resolution) -> Int64 {
        floor(time.milliseconds, resolution.milliseconds)
    }

    /// Whether all reports of a day are older than they are kept for.
    func isOver(day: Int64, at now: WallTime) -> Bool {
        (day + 1) * Self.dayMilliseconds + raw.milliseconds <= now.milliseconds
    }

    /// Sums that begin before this are thrown away, ms.
    func horizon(_ resolution: Resolution, at now: WallTime) -> Int64 {
        let kept = resolution == .minute ? minutes : hours
        return Self.begin(of: now, resolution) - kept.milliseconds
    }

    /// The finer resolution where its sums still are and are few enough for an answer, else the coarser one.
    public func resolution(for span: Range<WallTime>, at now: WallTime) -> Resolution {
        let length = span.upperBound.milliseconds - span.lowerBound.milliseconds
        let isThere = span.lowerBound.milliseconds >= horizon(.minute, at: now)
        return length <= 6 * 3_600_000 && isThere ? .minute : .hour
    }

    private static func floor(_ value: Int64, _ unit: Int64) -> Int64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: unit)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension WallTime {
    var milliseconds: Int64 { nanoseconds / 1_000_000 }

    init(milliseconds: Int64) {
        self.init(nanoseconds: milliseconds.multipliedReportingOverflow(by: 1_000_000).partialValue)
    }
}
