// SPDX-License-Identifier: Apache-2.0
import Time

/// Sums by box over the reports of one commit, so that each minute and hour of a box is written once.
struct BoxGroup {
    struct Key: Hashable {
        /// Minutes or hours since 1970: a row is kept for each box, and has few octets.
        let time: Int64
        /// The number of the box.
        let sender: Int64
    }

    private var minutes: [Key: AirSums] = [:]
    private var hours: [Key: AirSums] = [:]

    mutating func add(_ sums: AirSums, of sender: Int64, at time: WallTime) {
        let (minute, hour) = (Retention.number(of: time, .minute), Retention.number(of: time, .hour))
        minutes[Key(time: minute, sender: sender), default: AirSums()].add(sums)
        hours[Key(time: hour, sender: sender), default: AirSums()].add(sums)
    }

    /// In the order of the table, so that everybody takes locks in the same order.
    func sums(of resolution: Retention.Resolution) -> [(key: Key, value: AirSums)] {
        (resolution == .minute ? minutes : hours).sorted { ($0.key.time, $0.key.sender) < ($1.key.time, $1.key.sender) }
    }
}

/// Which sums of a box are asked for.
public struct BoxSumsQuery: Equatable, Sendable {
    public var box: String
    public var span: Range<WallTime>
    public var resolution: Retention.Resolution

    public init(_ box: String, _ span: Range<WallTime>, _ resolution: Retention.Resolution) {
        (self.box, self.span, self.resolution) = (box, span, resolution)
    }

    /// Numbers of minutes or hours, the first and the last of them whole.
    var numbers: ClosedRange<Int64> {
        let last = WallTime(nanoseconds: span.upperBound.nanoseconds - 1)
        return Retention.number(of: span.lowerBound, resolution)...Retention.number(of: last, resolution)
    }
}

/// What came to a box in a minute or an hour.
public struct BoxSums: Equatable, Sendable {
    /// When it begins.
    public var time: WallTime
    public var sums: AirSums

    public init(time: WallTime, _ sums: AirSums) { (self.time, self.sums) = (time, sums) }

    init(number: Int64, _ resolution: Retention.Resolution, _ sums: AirSums) {
        self.init(time: WallTime(milliseconds: number * resolution.milliseconds), sums)
    }
}
