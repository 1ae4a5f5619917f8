// SPDX-License-Identifier: Apache-2.0
import Bytes
import ErasureCoding
import RTP
import Time
import Venue

/// Makes the repair symbols of protection windows again, of packets that have zeros where nothing was recorded. With them
/// a repairer recovers what was lost as it was recorded when it was recovered live.
///
/// Only windows of which something was recovered are made again: of all others no symbol is used.
struct RemadeWindows {
    private struct Window {
        /// Packets without their ids, by ESI.
        var sources: [Int: [UInt8]] = [:]
        /// Sequence number that the packet with ESI 0 has.
        var base: UInt16
        var heard: Monotonic
        var isRecovered = false
    }

    private let windows: RepairWindows
    private var held: [UInt32: Window] = [:]
    private var symbols: [UInt32: [[UInt8]]] = [:]

    init(_ windows: RepairWindows, of inputs: [RecordedInput]) {
        self.windows = windows
        for input in inputs where input.kind == .datagram && input.part < 2 { take(input) }
        for input in inputs where input.kind == .recovered { place(input) }
    }

    private mutating func take(_ input: RecordedInput) {
        guard let id = Self.identifier(Array(input.octets.suffix(PayloadIdentifier.size))) else { return }
        let packet = Array(input.octets.dropLast(PayloadIdentifier.size))
        guard let sequence = Self.sequence(of: packet) else { return }
        let base = sequence &- UInt16(truncatingIfNeeded: id.symbol * windows.depth)
        var window = held[id.block] ?? Window(base: base, heard: input.time)
        window.sources[id.symbol] = packet
        held[id.block] = window
    }

    /// Finds the window of a recovered packet, which does not say it: that from whose packets its number follows.
    private mutating func place(_ input: RecordedInput) {
        guard let sequence = Self.sequence(of: input.octets) else { return }
        let fitting = held.filter { _, window in
            let distance = Int(sequence &- window.base)
            return distance % windows.depth == 0 && distance / windows.depth < windows.sourcePackets
        }
        func distance(_ window: Window) -> UInt64 { (window.heard - input.time).count.magnitude }
        guard let (block, window) = fitting.min(by: { distance($0.value) < distance($1.value) }) else { return }
        let symbol = Int(sequence &- window.base) / windows.depth
        // It may have come after all.
        if window.sources[symbol] == nil { held[block]?.sources[symbol] = input.octets }
        held[block]?.isRecovered = true
    }

    /// - Returns: the datagram with its symbol, as long as it was; unchanged if nothing of its window was recovered.
    mutating func remade(_ datagram: [UInt8]) -> [UInt8] {
        guard let id = Self.identifier(Array(datagram.prefix(PayloadIdentifier.size))),
            let window = held[id.block], window.isRecovered
        else { return datagram }
        let made = symbols[id.block] ?? encode(window, sources: id.sourceCount)
        symbols[id.block] = made
        let number = id.symbol - id.sourceCount
        guard made.indices.contains(number) else { return datagram }
        let head = datagram.prefix(PayloadIdentifier.size)
        let room = datagram.count - head.count
        let symbol = made[number].prefix(room)
        return Array(head) + Array(symbol) + [UInt8](repeating: 0, count: room - symbol.count)
    }

    private func encode(_ window: Window, sources: Int) -> [[UInt8]] {
        let packets = (0..<max(sources, 0)).compactMap { window.sources[$0] }
        var one = windows
        (one.depth, one.sourcePackets) = (1, sources)
        guard sources > 0, packets.count == sources, let encoder = WindowEncoder(one) else { return [] }
        var symbols: [[UInt8]] = []
        func take(_ datagram: UnsafeRawBufferPointer) {
            symbols.append(Array(datagram.dropFirst(PayloadIdentifier.size)))
        }
        for packet in packets {
            _ = packet.withUnsafeBytes {
                encoder.packetSent($0, at: window.heard, source: { _ in }, repair: take)
            }
        }
        encoder.finish(repair: take)
        return symbols
    }

    private static func identifier(_ octets: [UInt8]) -> PayloadIdentifier? {
        octets.withUnsafeBytes { bytes in
            var reader = WireReader(bytes)
            return try? PayloadIdentifier(from: &reader)  // who is too short has none
        }
    }

    private static func sequence(of packet: [UInt8]) -> UInt16? {
        packet.withUnsafeBytes { try? RTPHeader($0).sequence }  // what is no RTP has none
    }
}
