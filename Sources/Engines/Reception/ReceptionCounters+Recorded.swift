// SPDX-License-Identifier: Apache-2.0
import Venue

/// Counters as a record of them has them: 64 bits each, in the processor's order of octets, in the order of `names`.
extension ReceptionCounters {
    /// The names of all counters in the order in which they stand in memory. Not for each packet: it looks them up.
    public static var names: [String] { Mirror(reflecting: ReceptionCounters()).children.compactMap(\.label) }

    /// All values, by name.
    public var byName: [String: Int64] {
        var result: [String: Int64] = [:]
        for child in Mirror(reflecting: self).children { result[child.label ?? ""] = child.value as? Int64 }
        return result
    }

    /// Counters that a replay of what was recorded does not give again, with the reason.
    ///
    /// Everything else is the same in a replay. `randomAccessPoints` is too, as long as each picture begins a PES packet;
    /// where pictures begin anywhere in PES packets their headers are not recorded.
    public static let notReplayed: [String: String] = [
        "clockSource": "depends on minutes before what was recorded",
        "clockLocked": "depends on minutes before what was recorded",
        "clockDriftPPB": "depends on minutes before what was recorded",
        "clockJitterUs": "depends on minutes before what was recorded",
        "clockPeakJitterUs": "depends on minutes before what was recorded",
        "clockSlackUs": "depends on minutes before what was recorded",
        "foreignRepair": "parity is not looked for in a replay",
        "rejoins": "is counted by memberships, not by what arrives",
        "linkFlaps": "is counted by memberships, not by what arrives",
        "sourceChanges": "is counted by memberships, not by what arrives",
    ]
}

extension ProgramChoice? {
    /// "" for the first program, "#" and the number, "=" and the name.
    public var recordedText: String {
        switch self {
        case nil: ""
        case .number(let number): "#\(number)"
        case .name(let name): "=\(name)"
        }
    }

    /// The first program if the text is none of ours.
    public init(recordedText text: some StringProtocol) {
        let rest = text.dropFirst()
        switch text.first {
        case "#": self = UInt16(rest).map { .number($0) }
        case "=": self = .name(String(rest))
        default: self = nil
        }
    }
}
