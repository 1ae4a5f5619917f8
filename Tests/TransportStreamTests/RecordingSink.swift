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

    mutating func videoUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {
        video.append(Unit(unit: unit, bytes: Array(bytes)))
    }

    mutating func audioUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {
        audio.append(Unit(unit: unit, bytes: Array(bytes)))
    }

    mutating func programChanged(_ program: Program?) { programs.append(program) }

    /// Pictures as ffprobe lists packets.
    var videoLines: [Vector.Line] {
        video.compactMap { entry in
            entry.unit.pts.map { pts in
                Vector.Line(
                    pts: pts, dts: entry.unit.dts ?? pts, size: entry.bytes.count, isKey: entry.unit.isRandomAccess)
            }
        }
    }

    /// AAC frames likewise.
    var audioLines: [Vector.Line] {
        var splitter = ADTSSplitter()
        var result: [Vector.Line] = []
        for entry in audio {
            entry.bytes.withUnsafeBytes { bytes in
                splitter.push(bytes, pts: entry.unit.pts, lost: entry.unit.isDamaged) { frame, bytes in
                    guard let pts = frame.pts else { return }
                    result.append(Vector.Line(pts: pts, dts: pts, size: bytes.count, isKey: true))
                }
            }
        }
        return result
    }

    /// All of a stream, in datagrams of seven packets, through a demultiplexer.
    static func demultiplex(_ stream: [UInt8]) -> (sink: RecordingSink, demultiplexer: TSDemultiplexer) {
        var demultiplexer = TSDemultiplexer()
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
