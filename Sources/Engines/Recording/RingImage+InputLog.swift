// SPDX-License-Identifier: Apache-2.0
import Bytes
import Media
import Time

extension RingImage {
    /// What a `PacketRing` held, as logs of input, each of at most about so many octets. A record that is none of a
    /// packet ring is left out.
    /// - Parameter octets: of one log; at least one record is in each.
    public func inputLogs(octets: Int) -> [[UInt8]] {
        var logs: [[UInt8]] = []
        var writer = WireWriter()
        self.octets.withUnsafeBytes { bytes in
            for record in records {
                guard let kind = InputLog.Kind(rawValue: record.kind), record.content.count <= 65_535 else { continue }
                let content = UnsafeRawBufferPointer(rebasing: bytes[record.content])
                let port = UInt16(truncatingIfNeeded: record.part)
                switch kind {
                case .datagram, .recovered:
                    // Only a ring that somebody altered has a record that cannot be read.
                    guard let datagram = try? SparseDatagram.read(content) else { continue }
                    datagram.withUnsafeBytes {
                        InputLog.write(kind, at: record.time, port: port, payload: $0, to: &writer)
                    }
                default: InputLog.write(kind, at: record.time, port: port, payload: content, to: &writer)
                }
                guard writer.count >= octets else { continue }
                logs.append(writer.bytes)
                writer.removeAll()
            }
        }
        if writer.count > 0 { logs.append(writer.bytes) }
        return logs
    }
}
