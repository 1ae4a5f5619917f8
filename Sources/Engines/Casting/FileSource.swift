// SPDX-License-Identifier: Apache-2.0
import Containers
import Media

/// A media file that is remultiplexed. At its end it begins again, and its times continue.
final class FileSource: CastSource {
    let slotRate: (numerator: Int64, denominator: Int64) = (25, 1)
    let hasSound: Bool
    private var file: MediaFile
    private let kinds: [CastUnit.Kind]
    /// Units that were read and are not due yet.
    private var waiting: [CastUnit] = []
    private var slots: Int64 = 0
    /// Added to the times of the file in this round, 90 kHz ticks; nil until the round's first unit.
    private var shift: Int64?
    /// Where the next round begins: the latest end of presentation so far.
    private var end: Int64 = 0
    /// End of the newest audio unit. Audio of a new round that begins before it, such as an encoder's priming, is left
    /// out.
    private var soundEnd: Int64 = .min / 2

    /// Most units that are read ahead. Without a limit a file with all its sound at the end would fill the memory.
    private static let mostWaiting = 4_096

    init(path: String) throws {
        let file = try MediaFile(opening: path, .firstOfEach)
        let streams = file.streams
        for stream in streams where stream.codec != .h264 && stream.codec != .aac {
            throw CastingError.unsupportedCodec(path: path, codec: stream.codec.rawValue)
        }
        guard streams.contains(where: { $0.codec == .h264 }) else { throw CastingError.noVideo(path: path) }
        kinds = streams.map { $0.codec == .h264 ? .video : .audio }
        hasSound = kinds.contains(.audio)
        self.file = file
    }

    func nextSlot(clock: String) throws -> [CastUnit] {
        slots += 1
        let due = slots * 90_000 / slotRate.numerator
        try readAhead(until: due)
        let units = waiting.filter { $0.dts < due }
        waiting.removeAll { $0.dts < due }
        return units.sorted { $0.dts < $1.dts }
    }

    /// Reads until each stream has a unit beyond the slot, so that the file has no more units of this slot.
    private func readAhead(until due: Int64) throws {
        var isStart = false
        while kinds.contains(where: { kind in !waiting.contains { $0.kind == kind && $0.dts >= due } }),
            waiting.count < Self.mostWaiting
        {
            if try readOne() {
                isStart = false
                continue
            }
            guard !isStart else { throw CastingError.noVideo(path: file.path) }
            try file.rewind()
            shift = nil
            isStart = true
        }
    }

    /// - Returns: false at the end of the file.
    private func readOne() throws -> Bool {
        try file.read { packet in
            let shift = self.shift ?? end - packet.unit.pts
            self.shift = shift
            let kind = kinds[packet.stream]
            let unit = CastUnit(
                kind: kind, bytes: Array(packet.bytes), pts: packet.unit.pts + shift, dts: packet.unit.dts + shift,
                isKey: packet.unit.isRandomAccess)
            end = max(end, unit.pts + packet.duration)
            if kind == .audio {
                guard unit.pts >= soundEnd - 90 else { return }
                soundEnd = unit.pts + packet.duration
            }
            waiting.append(unit)
        }
    }
}
