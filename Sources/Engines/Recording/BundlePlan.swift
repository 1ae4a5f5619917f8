// SPDX-License-Identifier: Apache-2.0
import Bytes

/// What becomes a bundle, and in which order: what matters most first.
public struct BundlePlan: Sendable {
    public struct Flow: Sendable {
        public var description: [UInt8]
        public var packets: RingImage

        public init(description: [UInt8], packets: RingImage) {
            (self.description, self.packets) = (description, packets)
        }
    }

    public var head: [UInt8]
    public var settings: [UInt8]
    public var journal: RingImage?
    public var samples: RingImage?
    public var pictures: RingImage?
    /// At most `mostFlows` are taken.
    public var flows: [Flow] = []

    /// Octets of the part that is of use by itself: 23 s at 115,200 baud.
    public static let essentialOctets = 256 << 10
    public static let mostFlows = 64
    private static let mostPictures = 256
    /// Octets of packets in one piece, not compressed.
    private static let pieceOctets = 512 << 10
    /// Octets of events and statistics at the beginning, not compressed. The newest are there.
    private static let recentOctets = 256 << 10

    public init(head: [UInt8], settings: [UInt8]) { (self.head, self.settings) = (head, settings) }

    /// The file, at most so many octets long: what would be more is left out, the oldest first.
    /// - Returns: nil if there is no memory for it.
    /// - Thread: any that may work for a second; allocates several times the result.
    public func octets(atMost limit: Int) -> [UInt8]? {
        var file = Bundle.beginning
        let room = limit - Bundle.ending.count
        var plain = Bundle.mostPlainOctets
        func add(_ section: BundleSection) -> Bool {
            guard section.octets.count <= plain, let framed = Bundle.framed(section),
                file.count + framed.count <= room
            else { return false }
            file += framed
            plain -= section.octets.count
            return true
        }
        let (events, samples) = (lines(of: journal), lines(of: samples))
        guard add(BundleSection(.head, head)), add(BundleSection(.settings, settings)) else { return nil }
        for (index, flow) in flows.prefix(Self.mostFlows).enumerated() {
            _ = add(BundleSection(.flow, flow: UInt8(index), flow.description))
        }
        if let first = events.first { _ = add(BundleSection(.events, first)) }
        if let first = samples.first { _ = add(BundleSection(.statistics, first)) }
        let pictures = pictures.map { image in image.records.reversed().map { Array(image.octets[$0.content]) } } ?? []
        func addPictures(_ range: Range<Int>) {
            for piece in range.clamped(to: pictures.indices) {
                _ = add(BundleSection(.picture, piece: UInt16(piece), pictures[piece]))
            }
        }
        addPictures(0..<1)
        addPackets(add)
        addPictures(1..<Self.mostPictures)
        for (piece, octets) in events.enumerated().dropFirst() {
            _ = add(BundleSection(.events, piece: UInt16(piece), octets))
        }
        for (piece, octets) in samples.enumerated().dropFirst() {
            _ = add(BundleSection(.statistics, piece: UInt16(piece), octets))
        }
        return file + Bundle.ending
    }

    /// Adds the newest packets of all flows, then older ones in turns, so that a file that was cut has the last seconds of
    /// each.
    private func addPackets(_ add: (BundleSection) -> Bool) {
        let logs = flows.prefix(Self.mostFlows).map { flow in
            Array(flow.packets.inputLogs(octets: Self.pieceOctets).reversed().prefix(Int(UInt16.max)))
        }
        var isOpen = logs.map { _ in true }
        for piece in 0..<(logs.map(\.count).max() ?? 0) {
            for (flow, log) in logs.enumerated() where isOpen[flow] && log.indices.contains(piece) {
                // A piece that is missing would make those before it useless.
                isOpen[flow] = add(
                    BundleSection(.packets, flow: UInt8(flow), piece: UInt16(piece), log[piece]))
            }
        }
    }

    /// Lines of the records of a ring, in pieces: the first has the newest ones.
    private func lines(of image: RingImage?) -> [[UInt8]] {
        guard let image else { return [] }
        var pieces: [[UInt8]] = []
        var lines: [ArraySlice<UInt8>] = []
        var octets = 0
        func close() {
            if !lines.isEmpty { pieces.append(Array(lines.reversed().joined(separator: [0x0A])) + [0x0A]) }
            (lines, octets) = ([], 0)
        }
        for record in image.records.reversed() {
            if octets + record.content.count > Self.recentOctets { close() }
            lines.append(image.octets[record.content])
            octets += record.content.count + 1
        }
        close()
        return pieces
    }
}
