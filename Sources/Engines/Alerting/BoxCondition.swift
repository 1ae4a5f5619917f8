// SPDX-License-Identifier: Apache-2.0
import JSON
import Time

/// What a box's newest state says of what rules look at.
public struct BoxCondition: Equatable, Sendable {
    /// Tells this state from the one before.
    public struct Version: Equatable, Sendable {
        public var boot: String
        public var sequence: Int64

        public init(boot: String, sequence: Int64) { (self.boot, self.sequence) = (boot, sequence) }
    }

    public var box: String
    public var version: Version
    /// By the reporter's clock.
    public var arrived: WallTime
    public var name: String?
    public var group: String?
    public var tags: [String] = []
    /// State of the service, as `up`; nil if the box has not told it.
    public var state: String?
    /// Packets lost of a million that were sent to the box over access points; nil if none were.
    public var lossPPM: Int64?
    /// Signal of the access point that is heard worst, of all interfaces; nil if none is associated.
    public var signalDbm: Int64?

    public init(box: String, version: Version, arrived: WallTime) {
        (self.box, self.version, self.arrived) = (box, version, arrived)
    }

    /// - Parameter report: the document of a state, by `config/REPORTS.md`.
    public init(box: String, version: Version, arrived: WallTime, report: JSONValue) {
        self.init(box: box, version: version, arrived: arrived)
        name = report.at("/identity/name")?.string
        group = report.at("/identity/group")?.string
        tags = (report["tags"]?.array ?? []).prefix(256).compactMap(\.string)
        state = report.at("/service/state")?.string.map { String($0.prefix(64)) }
        var (packets, lost): (Int64, Int64) = (0, 0)
        for member in report["accessPoints"]?.array ?? [] {
            // A box can claim any number.
            packets += max(0, min(1 << 40, member["packets"]?.integer ?? 0))
            lost += max(0, min(1 << 40, member["lost"]?.integer ?? 0))
        }
        if packets + lost > 0 { lossPPM = lost * 1_000_000 / (packets + lost) }
        signalDbm = (report["wifi"]?.array ?? []).compactMap { interface in
            (interface["signalAverageDbm"]?.integer ?? interface["signalDbm"]?.integer).flatMap {
                (-200...100).contains($0) ? $0 : nil
            }
        }.min()
    }
}
