// SPDX-License-Identifier: Apache-2.0
import Bytes
import Glibc
import System

/// A WAV file that grows as samples are appended.
struct WAVFile: ~Copyable {
    private let descriptor: FileDescriptor
    private let path: String
    private let limit: Int
    private var header: WAVHeader
    /// Value of `dataOctets` when the header was last written.
    private var described: Int
    private var samples: [Int16]

    /// Creates the file or replaces an existing one. The caller writes the first header with `updateHeader`.
    init(creating path: String, sampleRate: Int, channels: Int, limit: Int) throws(SystemCallError) {
        descriptor = FileDescriptor(
            adopting: try syscall("open \(path)") { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) })
        self.path = path
        self.limit = min(limit, WAVHeader.largestData)
        header = WAVHeader(sampleRate: sampleRate, channels: channels, dataOctets: 0)
        described = 0
        samples = []
    }

    /// - Returns: number of frames that did not fit.
    mutating func append(_ block: UnsafeBufferPointer<Float>) throws(SystemCallError) -> Int {
        guard block.count * 2 <= limit - header.dataOctets else { return block.count / header.channels }
        samples.removeAll(keepingCapacity: true)
        for sample in block { samples.append(Int16(clipping: sample).littleEndian) }
        try writeSamples()
        return 0
    }

    /// - Returns: number of frames that did not fit.
    mutating func appendSilence(_ frames: Int) throws(SystemCallError) -> Int {
        let room = max(0, (limit - header.dataOctets) / (2 * header.channels))
        var rest = min(frames, room)
        while rest > 0 {
            let count = min(rest, header.sampleRate)
            samples.removeAll(keepingCapacity: true)
            for _ in 0..<(count * header.channels) { samples.append(0) }
            try writeSamples()
            rest -= count
        }
        return frames - min(frames, room)
    }

    mutating func updateHeader() throws(SystemCallError) {
        try header.bytes.withOctets { (octets) throws(SystemCallError) in
            try writeAll(octets, at: 0)
        }
        described = header.dataOctets
    }

    private mutating func writeSamples() throws(SystemCallError) {
        try samples.withOctets { (octets) throws(SystemCallError) in
            try writeAll(octets, at: WAVHeader.size + header.dataOctets)
        }
        header.dataOctets += samples.count * 2
        if header.dataOctets - described >= header.sampleRate * header.channels * 2 { try updateHeader() }
    }

    private func writeAll(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemCallError) {
        var done = 0
        while done < bytes.count {
            done += try syscall("write \(path)") {
                pwrite(
                    descriptor.rawValue, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
            }
        }
    }
}
