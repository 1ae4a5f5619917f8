// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON

/// What a box has shown when, by its presentation log, read in parts while it plays.
struct PresentationRecord {
    struct Shown {
        /// Seconds of `ControlSocket.now`.
        let time: Double
        /// 90 kHz.
        let pts: Int64
    }

    private let box: ControlSocket
    private var next: Int64 = 0
    private(set) var shown: [Shown] = []

    init(_ box: ControlSocket) { self.box = box }

    /// Reads what is new. To be called at least once a minute.
    mutating func read() throws {
        while true {
            let answer = try box.ask("presentations", ["since": .integer(next)]).result
            let new = answer["presentations"]?.array ?? []
            shown += new.compactMap { entry in
                guard let pts = entry["pts"]?.integer, let visible = entry["visibleNs"]?.number else { return nil }
                return Shown(time: visible / 1e9, pts: pts)
            }
            next = answer["next"]?.integer ?? next
            if new.isEmpty { return }
        }
    }

    /// When each picture was shown, of those that were shown in this time. The last time counts.
    func times(_ range: ClosedRange<Double>) -> [Int64: Double] {
        Dictionary(
            shown.filter { range.contains($0.time) }.map { ($0.pts, $0.time) }, uniquingKeysWith: { $1 })
    }

    /// The picture that was visible at a moment.
    func picture(at time: Double) -> Int64? { shown.last { $0.time <= time }?.pts }

    /// The pictures that were visible in this time, however briefly.
    func pictures(in range: ClosedRange<Double>) -> Set<Int64> {
        Set(shown.filter { range.contains($0.time) }.map(\.pts) + [picture(at: range.lowerBound)].compactMap { $0 })
    }

    /// How far apart the boxes were in showing one picture, for each picture that all showed; in seconds, in order.
    static func spreads(_ records: [PresentationRecord], _ range: ClosedRange<Double>) -> [Double] {
        let times = records.map { $0.times(range.lowerBound - 1...range.upperBound + 1) }
        guard let first = records.first else { return [] }
        return first.times(range).keys.sorted().compactMap { pts in
            let all = times.compactMap { $0[pts] }
            guard all.count == records.count, let least = all.min(), let most = all.max() else { return nil }
            return most - least
        }
    }
}
