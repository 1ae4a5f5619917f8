// SPDX-License-Identifier: Apache-2.0
import Codecs
import Foundation
import Media
import Time

/// A tone in AAC, in units as a decode thread queues them.
struct CodedTone {
    private var units: [(pts: Int64, bytes: [UInt8])] = []

    init(frequency: Double = 1_000, amplitude: Float = 0.5, seconds: Int = 4) throws {
        var encoder = try AudioEncoder(kilobitsPerSecond: 256)
        let samples = [Float](unsafeUninitializedCapacity: seconds * 96_000) { buffer, count in
            for frame in 0..<seconds * 48_000 {
                let sample = amplitude * Float(sin(2 * .pi * frequency * Double(frame) / 48_000))
                (buffer[2 * frame], buffer[2 * frame + 1]) = (sample, sample)
            }
            count = seconds * 96_000
        }
        var made: [(Int64, [UInt8])] = []
        try samples.withUnsafeBufferPointer { samples in
            try encoder.encode(samples) { made.append(($0.pts, Array($0.bytes))) }
        }
        units = made.map { (pts: $0.0, bytes: $0.1) }
    }

    var count: Int { units.count }

    /// - Parameter offset: media time of the tone's beginning.
    /// - Returns: whether the queue has taken it.
    @discardableResult
    func put(
        _ index: Int, into queue: AudioQueue, offset: Monotonic, epoch: Int = 0, stream: Int = 1,
        damage: (inout [UInt8]) -> Void = { _ in }
    ) -> Bool {
        var (pts, bytes) = units[index]
        damage(&bytes)
        let unit = AudioUnit(
            codec: .aac, stream: stream, pts: pts, offset: Nanoseconds(offset.nanoseconds), epoch: epoch)
        return bytes.withUnsafeBytes { queue.put(unit, $0) }
    }

    func putAll(into queue: AudioQueue, offset: Monotonic, epoch: Int = 0) {
        for index in units.indices { put(index, into: queue, offset: offset, epoch: epoch) }
    }
}
