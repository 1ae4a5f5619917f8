// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The kernel's message about a device that appears, disappears or changes (kobject_uevent).
///
/// ```
/// change@/devices/pci0000:00/0000:00:02.0/drm/card0␀ACTION=change␀DEVPATH=/devices/…␀SUBSYSTEM=drm␀HOTPLUG=1␀SEQNUM=4711␀
/// ```
public struct Uevent: Equatable, Sendable {
    public enum Action: String, Sendable, CaseIterable {
        case add, remove, change, move, online, offline, bind, unbind
    }

    public let action: Action
    /// Path below /sys.
    public let path: String
    /// If a key occurs twice, the first value counts.
    public let properties: [String: String]

    /// The kernel's own limit is 2 048 octets plus the head.
    static let mostOctets = 8_192
    /// The kernel's own limit is 64.
    static let mostProperties = 256

    /// - Parameter bytes: one datagram of the kernel; udev's own messages, which begin with a head of theirs, are
    ///   refused.
    public init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        guard bytes.count <= Self.mostOctets else {
            throw WireError(.limit("uevent octets", UInt64(bytes.count)), at: 0)
        }
        var reader = WireReader(bytes)
        let head = try reader.text()
        guard head != "libudev" else { throw WireError(.unsupported("sender udev", 0), at: 0) }
        let parts = head.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasPrefix("/") else {
            throw WireError(.invalid("uevent head of octets", UInt64(head.utf8.count)), at: 0)
        }
        guard let action = Action(rawValue: String(parts[0])) else {
            throw WireError(.unsupported("uevent action of octets", UInt64(parts[0].utf8.count)), at: 0)
        }
        var properties: [String: String] = [:]
        var count = 0
        while !reader.isAtEnd {
            let start = reader.offset
            count += 1
            guard count <= Self.mostProperties else {
                throw WireError(.limit("uevent properties", UInt64(count)), at: start)
            }
            let entry = try reader.text()
            guard let equals = entry.firstIndex(of: "="), equals != entry.startIndex else {
                throw WireError(.invalid("uevent property of octets", UInt64(entry.utf8.count)), at: start)
            }
            let key = String(entry[..<equals])
            if properties[key] == nil { properties[key] = String(entry[entry.index(after: equals)...]) }
        }
        self.action = action
        path = String(parts[1])
        self.properties = properties
    }

    public var subsystem: String? { properties["SUBSYSTEM"] }
}

extension WireReader {
    /// Reads up to the next NUL, which is consumed.
    fileprivate mutating func text() throws(WireError) -> String {
        guard let zero = bytes[offset..<end].firstIndex(of: 0) else {
            throw WireError(.truncated(needed: remaining + 1, available: remaining), at: offset)
        }
        let range = try take(zero - offset)
        try skip(1)
        return String(decoding: bytes[range], as: UTF8.self)
    }
}
