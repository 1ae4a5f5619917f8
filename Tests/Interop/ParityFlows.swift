// SPDX-License-Identifier: Apache-2.0
import ErasureCoding
import TestSupport
import Time
import Venue

/// Media and parity as a sender sent them, all of it; and what a repairer makes of a part.
struct ParityFlows {
    /// In the order of sending.
    let sent: [(bytes: [UInt8], flow: ParityFlow?)]
    let media: [[UInt8]]
    private let first: UInt16

    /// - Parameter sent: without a flow: media, of which none may be missing.
    init(_ sent: [(bytes: [UInt8], flow: ParityFlow?)]) throws {
        self.sent = sent
        media = sent.filter { $0.flow == nil }.map(\.bytes)
        guard let first = media.first.map(Self.sequence) else { throw VenueError("no media") }
        self.first = first
        for (index, packet) in media.enumerated() where Self.sequence(packet) &- first != UInt16(index) {
            throw VenueError("media \(index) is missing: the capture itself lost it")
        }
    }

    /// What got through, in its order, and what is then to be expected.
    struct Passage {
        let arrived: [(bytes: [UInt8], flow: ParityFlow?)]
        let lost: Set<Int>
        /// Of `lost`, what parity cannot bring back.
        let lostForGood: Set<Int>
        /// Of those, what the counters tell: covered by parity that came, between the first packet and the last.
        let counted: Int
    }

    /// - Parameter burst: packets lost in a row, on average.
    func passage(seed: UInt64, share: Double, burst: Double) -> Passage {
        var random = SplitMix64(seed: seed)
        var isBad = false
        var lost = Set<Int>()
        var sums: [[Int]] = []
        let arrived = sent.filter { packet in
            let chance = Double.random(in: 0..<1, using: &random)
            isBad = isBad ? chance >= 1 / burst : chance < share / burst / (1 - share)
            switch (isBad, packet.flow) {
            case (true, nil): lost.insert(index(packet.bytes))
            case (false, .some): sums.append(summed(by: packet.bytes))
            default: break
            }
            return !isBad
        }
        let lostForGood = PeelingSolver.remainder(lost: lost, sums: sums)
        let there = Set(media.indices).subtracting(lostForGood)
        let began = arrived.first { $0.flow == nil }.map { index($0.bytes) } ?? 0
        let counted = Set(sums.joined()).intersection(lostForGood).filter { $0 > began && $0 < there.max() ?? 0 }
        return Passage(arrived: arrived, lost: lost, lostForGood: lostForGood, counted: counted.count)
    }

    /// Of a packet of the media.
    func index(_ packet: [UInt8]) -> Int { Int(Self.sequence(packet) &- first) }

    /// Each packet that a repairer made, and its counters at the end.
    static func repair(_ arrived: [(bytes: [UInt8], flow: ParityFlow?)]) -> (made: [[UInt8]], ParityCounters) {
        let repairer = ParityRepairer(RepairParity(columns: nil, rows: nil, span: .seconds(2)))
        var made: [[UInt8]] = []
        var now = Monotonic(nanoseconds: 0)
        for packet in arrived {
            now += .microseconds(100)
            packet.bytes.withUnsafeBytes { octets in
                let deliver: ParityRepairer.Delivery = { if $2 { made.append(Array($0)) } }
                switch packet.flow {
                case nil: repairer.mediaReceived(octets, at: now, deliver: deliver)
                case .columns: repairer.columnReceived(octets, at: now, deliver: deliver)
                case .rows: repairer.rowReceived(octets, at: now, deliver: deliver)
                }
            }
        }
        repairer.finish()
        return (made, repairer.counters)
    }

    private func summed(by packet: [UInt8]) -> [Int] {
        let base = Int(Int16(bitPattern: (UInt16(packet[12]) << 8 | UInt16(packet[13])) &- first))
        return (0..<Int(packet[26])).map { base + $0 * Int(packet[25]) }
    }

    private static func sequence(_ packet: [UInt8]) -> UInt16 { UInt16(packet[2]) << 8 | UInt16(packet[3]) }
}
