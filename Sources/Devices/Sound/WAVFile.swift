// SPDX-License-Identifier: Apache-2.0
import Bytes
import Glibc
import System

/// One WAV file that grows.
final class WAVFile {
    private let descriptor: FileDescriptor
    private let path: String
    private var header: WAVHeader
    /// `dataOctets` when the header was written last.
    private var described = 0
    private var samples: [Int16] = []

    init(creating path: String, sampleRate: Int, channels: Int) throws(SystemCallError) {
        descriptor = FileDescriptor(
            adopting: try syscall("open \(path)") { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) })
        self.path = path
        header = WAVHeader(sampleRate: sampleRate, channels: channels, dataOctets: 0)
        try updateHeader()
    }

    func takes(sampleRate: Int, channels: Int, octets: Int) -> Bool {
        sampleRate == header.sampleRate && channels == header.channels
            && octets <= WAVHeader.largestData - header.dataOctets
    }

    func append(_ block: UnsafeBufferPointer<Float>) throws(SystemCallError) {
        samples.removeAll(keepingCapacity: true)
        for sample in block {
            // A comparison with NaN is false: it becomes silence.
            let limited: Float = sample > 1 ? 1 : sample >= -1 ? sample : sample < -1 ? -1 : 0
            samples.append(Int16(limited * 32_767).littleEndian)
        }
        try samples.withOctets { (octets) throws(SystemCallError) in
            try writeAll(octets, at: WAVHeader.size + header.dataOctets)
        }
        header.dataOctets += samples.count * 2
        if header.dataOctets - described >= header.sampleRate * header.channels * 2 { try updateHeader() }
    }

    func updateHeader() throws(SystemCallError) {
        try header.bytes.withOctets { (octets) throws(SystemCallError) in
            try writeAll(octets, at: 0)
        }
        described = header.dataOctets
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
