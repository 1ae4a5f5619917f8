// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time

/// The log format for all input of Reception, LineUp and the clocks. Replaying a log gives equal counters (rule 11 of
/// the design).
///
///     file    "TLINLOG1"
///     record  kind:8  length:24  time:64 (ns)  port:16  addressLength:8  address  payload
///
/// `length` counts the octets after the first 12. All integers are big-endian.
public enum InputLog {
    public enum Kind: UInt8, Sendable {
        /// A datagram of a tuned channel.
        case datagram = 1
        /// A datagram of an announcement group.
        case announcement = 2
        /// Time has passed; the engines do what is due.
        case tick = 3
        /// The kernel dropped datagrams; the payload is their total in 32 bits.
        case kernelDrops = 4
        /// A packet that repair made again, as the live receiver delivered it. A replay makes it itself.
        case recovered = 5
        /// A datagram came that was longer than the receiver keeps; there is no payload.
        case truncated = 6
        /// What the live receiver had counted after all records before this one.
        case counters = 7
        /// Another program is followed: "" for the first one, "#" and its number, or "=" and its name.
        case program = 8
        /// Repair that was found is used from the next tick on.
        case reinforced = 9
    }

    public struct Entry: Equatable, Sendable {
        public var kind: Kind
        public var time: Monotonic
        /// Numeric source address; empty for ticks.
        public var address: String
        public var port: UInt16
        /// Range of the payload in the log's bytes.
        public var payload: Range<Int>
    }

    public static let magic: [UInt8] = Array("TLINLOG1".utf8)

    /// Appends a record. The payload has at most 65 535 octets, the address at most 64.
    public static func write(
        _ kind: Kind, at time: Monotonic, address: String = "", port: UInt16 = 0, payload: UnsafeRawBufferPointer,
        to writer: inout WireWriter
    ) {
        let address = Array(address.utf8)
        precondition(payload.count <= 65_535 && address.count <= 64)
        if writer.count == 0 { writer.write(contentsOf: magic) }
        writer.write(kind.rawValue)
        writer.write(UInt64(3 + address.count + payload.count), octets: 3)
        writer.write(time.nanoseconds)
        writer.write(port)
        writer.write(UInt8(address.count))
        writer.write(contentsOf: address)
        writer.write(contentsOf: payload)
    }

    /// Reads all records in order.
    /// - Throws: `WireError` where the log is cut or damaged; the records before that place were given to `body`.
    public static func read(_ bytes: UnsafeRawBufferPointer, _ body: (Entry) -> Void) throws(WireError) {
        var reader = WireReader(bytes)
        let start = try reader.take(magic.count)
        guard bytes[start].elementsEqual(magic) else { throw WireError(.invalid("input log magic", 0), at: 0) }
        while !reader.isAtEnd {
            let offset = reader.offset
            let rawKind: UInt8 = try reader.read()
            let length = Int(try reader.read(octets: 3))
            let time = Monotonic(nanoseconds: try reader.read(Int64.self))
            guard let kind = Kind(rawValue: rawKind) else {
                throw WireError(.unsupported("input log record", UInt64(rawKind)), at: offset)
            }
            var content = try reader.reader(of: length)
            let port: UInt16 = try content.read()
            let addressLength: UInt8 = try content.read()
            let address = String(decoding: bytes[try content.take(Int(addressLength))], as: UTF8.self)
            body(Entry(kind: kind, time: time, address: address, port: port, payload: content.takeRest()))
        }
    }
}
