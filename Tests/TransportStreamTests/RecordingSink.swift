// SPDX-License-Identifier: Apache-2.0
@testable import TransportStream

/// Keeps what a demultiplexer delivers.
struct RecordingSink: AccessUnitSink {
    struct Unit {
        let unit: PESUnit
        let bytes: [UInt8]
    }

    var video: [Unit] = []
    var audio: [Unit] = []
    var programs: [Program?] = []
    var events: [PresentFollowing] = []

    mutating func videoUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {
        video.append(Unit(unit: unit, bytes: Array(bytes)))
    }

    mutating func audioUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {
        audio.append(Unit(unit: unit, bytes: Array(bytes)))
    }

    mutating func programChanged(_ program: Program?) { programs.append(program) }

    mutating func eventsChanged(_ events: PresentFollowing) { self.events.append(events) }

    /// Pictures as ffprobe lists packets.
    var videoLines: [Vector.Line] {
        video.compactMap { entry in
            entry.unit.pts.map { pts in
                Vector.Line(
                    pts: pts, dts: entry.unit.dts ?? pts, size: entry.bytes.count, isKey: entry.unit.isRandomAccess)
            }
        }
    }

    /// Units of sound with a time stamp likewise, of which each may be several of ffprobe's.
    var audioLines: [Vector.Line] {
        audio.compactMap { entry in
            entry.unit.pts.map { Vector.Line(pts: $0, dts: $0, size: entry.bytes.count, isKey: true) }
        }
    }

    /// Whether the sound is ffprobe's, octet for octet, and each unit begins with a frame of its time stamp: one tick
    /// either way, since ffprobe rounds.
    func audioAgrees(with frames: [Vector.Line]) -> Bool {
        var places: [Int: UInt64] = [:]
        var end = 0
        for frame in frames {
            places[end] = frame.pts
            end += frame.size
        }
        var place = 0
        for entry in audio {
            if let pts = entry.unit.pts {
                guard let theirs = places[place], abs(Int64(pts) - Int64(theirs)) <= 1 else { return false }
            }
            place += entry.bytes.count
        }
        return place == end && !audio.isEmpty
    }

    /// All of a stream, in datagrams of seven packets, through a demultiplexer.
    static func demultiplex(
        _ stream: [UInt8], audioLanguage: String? = nil
    ) -> (sink: RecordingSink, demultiplexer: TSDemultiplexer) {
        var demultiplexer = TSDemultiplexer(audioLanguage: audioLanguage)
        var sink = RecordingSink()
        demultiplexer.push(stream, to: &sink)
        demultiplexer.flush(to: &sink)
        return (sink, demultiplexer)
    }
}

extension TSDemultiplexer {
    mutating func push(_ stream: [UInt8], to sink: inout RecordingSink) {
        stream.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: 7 * TSPacket.size) {
                let end = min(bytes.count, start + 7 * TSPacket.size)
                push(datagram: UnsafeRawBufferPointer(rebasing: bytes[start..<end]), to: &sink)
            }
        }
    }
}
