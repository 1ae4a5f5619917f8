// SPDX-License-Identifier: Apache-2.0
import Bytes
import Media
import Reception
import Recording
import Time
import Venue

/// A recorded flow, received again.
public struct FlowReplay {
    /// A counter between mark and end, live and in the replay.
    public struct Row: Equatable {
        public let counter: String
        public let recorded: Int64
        public let replayed: Int64
    }

    public let channel: String
    /// Time from the mark to the end; nil if there was too little to compare.
    public private(set) var span: Nanoseconds?
    /// Whether the recording begins with the reception itself, so that nothing is needed to warm up.
    public private(set) var isFromJoin = false
    public private(set) var datagrams = 0
    public private(set) var rows: [Row] = []

    public var differences: [Row] { rows.filter { $0.recorded != $0.replayed } }
    /// Whether there was something to compare and all of it is the same.
    public var isIdentical: Bool { span != nil && differences.isEmpty }

    /// What a receiver has to have received before its counters can be compared with those of one that received for long.
    private static let warmUp = (span: Nanoseconds.seconds(3), datagrams: 1_000)
    private static let historyOctets = 1 << 20

    private struct Point {
        let time: Monotonic
        let recorded: [String: Int64]
        let replayed: [String: Int64]
        /// Datagrams that the replay had been given.
        let datagrams: Int
    }

    /// - Parameter inputs: what was recorded, the oldest first.
    public init(_ description: FlowDescription, _ inputs: [RecordedInput]) {
        channel = description.channel
        var points: [Point] = []
        let begins = inputs.contains { $0.kind == .reinforced }
        var transport = description.transport
        // Repair that was found earlier has been in use from the beginning.
        if transport.repair == nil, let found = description.found, !begins { transport.repair = found }
        let flow = FlowReceiver(
            transport, bandwidthKbps: description.bandwidthKbps, program: .init(recordedText: description.program),
            into: HistoryBuffer(span: .seconds(1), capacity: Self.historyOctets))
        var isRepaired = transport.repair != nil
        for input in inputs.remade(description.repair) {
            let part = FlowPart(rawValue: input.part) ?? .media
            input.octets.withUnsafeBytes { bytes in
                switch input.kind {
                case .datagram where part == .media || part == .secondPath || isRepaired:
                    datagrams += 1
                    flow.datagramReceived(bytes, of: part, at: input.time)
                case .truncated where part == .media || part == .secondPath || isRepaired:
                    flow.truncatedDatagramReceived(of: part)
                case .tick: flow.tick(at: input.time)
                case .kernelDrops:
                    guard bytes.count == 4 else { return }
                    let total = UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))
                    flow.kernelDropsReported(total: total, of: part)
                case .program: flow.follow(program: .init(recordedText: String(decoding: bytes, as: UTF8.self)))
                case .reinforced:
                    transport.repair = description.found
                    flow.reinforce(
                        by: transport, bandwidthKbps: description.bandwidthKbps, hold: description.hold)
                    isRepaired = true
                case .counters:
                    points.append(
                        Point(
                            time: input.time, recorded: Self.counters(bytes, description.counters),
                            replayed: flow.counters.byName, datagrams: datagrams))
                case .datagram, .truncated, .recovered, .announcement: break
                }
            }
        }
        compare(points, inputs.first?.time, description)
    }

    private static func counters(_ bytes: UnsafeRawBufferPointer, _ names: [String]) -> [String: Int64] {
        var result: [String: Int64] = [:]
        for (index, name) in names.enumerated() where index * 8 + 8 <= bytes.count {
            result[name] = bytes.loadUnaligned(fromByteOffset: index * 8, as: Int64.self)
        }
        return result
    }

    private mutating func compare(_ points: [Point], _ began: Monotonic?, _ description: FlowDescription) {
        guard let first = points.first, let last = points.last, let began else { return }
        isFromJoin = first.recorded["datagrams"] == first.replayed["datagrams"]
        let needed =
            Self.warmUp.span + (description.repair?.span ?? .zero) * 3
            + (description.transport.secondPath?.skew ?? .zero)
        let mark =
            isFromJoin
            ? nil
            : points.first { $0.time - began >= needed && $0.datagrams >= Self.warmUp.datagrams }
        guard isFromJoin || mark != nil, (mark?.time ?? began) < last.time else { return }
        span = last.time - (mark?.time ?? began)
        // What a bundle says that was made up may be any number.
        for name in description.counters where ReceptionCounters.notReplayed[name] == nil {
            guard let recorded = last.recorded[name], let replayed = last.replayed[name] else { continue }
            // What is no count but a value is compared as it is at the end.
            let isValue = Self.values.contains(name)
            rows.append(
                Row(
                    counter: name, recorded: recorded &- (isValue ? 0 : mark?.recorded[name] ?? 0),
                    replayed: replayed &- (isValue ? 0 : mark?.replayed[name] ?? 0)))
        }
    }

    private static let values: Set = ["payloadType", "repairOrigin"]
}
