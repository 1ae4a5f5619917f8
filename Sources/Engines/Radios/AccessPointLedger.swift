// SPDX-License-Identifier: Apache-2.0
import Radio
import Time

/// Which access point brought how many packets, and lost how many (SVM-130, G-57): fed once a second with the state of
/// the interface that receives and with what the sessions have counted.
///
/// What was counted between two samples belongs to the access point at the first of them: at a roam, the losses are of
/// the one that was left. What was counted while the client was not associated belongs to none. The first sample of a
/// session, and the first after its counters went back, only begin the count: a session that is joined again has lost
/// nothing by that.
public struct AccessPointLedger: Sendable {
    private struct Entry {
        var total: AccessPointFigures
        var associated: Nanoseconds = .zero
        /// The total when it was last taken.
        var taken: AccessPointFigures
        var signals = Mean()
        var signalsSinceTaken = Mean()
        /// Number of the sample that last had it.
        var lastUsed: UInt64 = 0

        init(_ bssid: HardwareAddress) {
            total = AccessPointFigures(bssid: bssid)
            taken = total
        }

        var figures: AccessPointFigures {
            var figures = total
            figures.signal = signals.value
            return figures
        }
    }

    private struct Mean {
        private var sum: Int64 = 0
        private var count: Int64 = 0

        mutating func add(_ value: Int) {
            sum &+= Int64(value)
            count &+= 1
        }

        /// The nearest integer.
        var value: Int? { count == 0 ? nil : Int((Double(sum) / Double(count)).rounded()) }
    }

    private static let mostAccessPoints = 256
    private static let mostSessions = 64

    private var entries: [HardwareAddress: Entry] = [:]
    private var sessions: [Int64: SessionCounters] = [:]
    private var samples: UInt64 = 0
    /// Where the client was associated at the last sample.
    private var last: (bssid: HardwareAddress?, time: Monotonic)?
    /// Access points that were forgotten, since there were too many.
    public private(set) var forgotten: UInt64 = 0

    public init() {}

    /// - Parameter state: of the interface that receives; nil if that is no radio.
    public mutating func observed(_ state: RadioState?, _ counters: [SessionCounters], at now: Monotonic) {
        samples &+= 1
        let grown = count(counters)
        if let last, let bssid = last.bssid {
            use(bssid) { entry in
                entry.associated = entry.associated + max(now - last.time, .zero)
                entry.total.seconds = entry.associated.seconds
                entry.total.packets &+= grown.packets
                entry.total.lost &+= grown.lost
                entry.total.windows &+= grown.windows
                entry.total.failedWindows &+= grown.failedWindows
            }
        }
        let bssid = state.flatMap { $0.isAssociated ? $0.bssid : nil }
        last = (bssid, now)
        guard let state, let bssid else { return }
        use(bssid) { entry in
            entry.total.name = state.accessPoint
            entry.total.ssid = state.ssid ?? entry.total.ssid
            entry.total.channel = state.channel ?? entry.total.channel
            if let signal = state.signal {
                entry.signals.add(signal)
                entry.signalsSinceTaken.add(signal)
            }
        }
    }

    /// Since the service started, by BSSID.
    public var totals: [AccessPointFigures] {
        entries.values.map(\.figures).sorted { $0.bssid.bits < $1.bssid.bits }
    }

    /// What was counted since this was last called, by BSSID. Access points over which nothing was counted are missing.
    public mutating func take() -> [AccessPointFigures] {
        var figures: [AccessPointFigures] = []
        for (bssid, entry) in entries {
            var delta = entry.total
            delta.seconds -= entry.taken.seconds
            delta.packets &-= entry.taken.packets
            delta.lost &-= entry.taken.lost
            delta.windows &-= entry.taken.windows
            delta.failedWindows &-= entry.taken.failedWindows
            delta.signal = entry.signalsSinceTaken.value
            entries[bssid]?.taken = entry.total
            entries[bssid]?.signalsSinceTaken = Mean()
            let isUsed =
                delta.signal != nil || delta.seconds != 0 || delta.packets != 0 || delta.lost != 0 || delta.windows != 0
            if isUsed { figures.append(delta) }
        }
        return figures.sorted { $0.bssid.bits < $1.bssid.bits }
    }

    /// - Returns: what all sessions have counted since the last sample.
    private mutating func count(_ counters: [SessionCounters]) -> SessionCounters {
        var sum = SessionCounters(session: 0, packets: 0, lost: 0)
        var seen: [Int64: SessionCounters] = [:]
        for counter in counters.prefix(Self.mostSessions) {
            seen[counter.session] = counter
            guard let grown = sessions[counter.session].flatMap({ counter.since($0) }) else { continue }
            sum.packets &+= grown.packets
            sum.lost &+= grown.lost
            sum.windows &+= grown.windows
            sum.failedWindows &+= grown.failedWindows
        }
        sessions = seen
        return sum
    }

    private mutating func use(_ bssid: HardwareAddress, _ change: (inout Entry) -> Void) {
        if entries[bssid] == nil, entries.count >= Self.mostAccessPoints {
            let oldest = entries.min { $0.value.lastUsed < $1.value.lastUsed }
            if let oldest { entries[oldest.key] = nil }
            forgotten &+= 1
        }
        entries[bssid, default: Entry(bssid)].lastUsed = samples
        if var entry = entries[bssid] {
            change(&entry)
            entries[bssid] = entry
        }
    }
}
