// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What a router on an interface hears of memberships: IGMPv3 (RFC 3376 §4.2) and MLDv2 (RFC 3810 §5.2). Needs root.
public final class MembershipReports {
    public struct Record: Hashable, CustomStringConvertible {
        /// 1, 2: is include, exclude; 3, 4: changes to include, exclude; 5, 6: allows, blocks sources.
        public var type: UInt8
        public var group: String
        public var sources: [String]

        public var description: String { "\(type) \(group) \(sources.joined(separator: ","))" }

        public init(type: UInt8, group: String, sources: [String] = []) {
            self.type = type
            self.group = group
            self.sources = sources
        }
    }

    private let descriptor: Int32

    public init?(on interface: String) {
        let protocols = UInt16(3).bigEndian  // ETH_P_ALL
        descriptor = socket(17, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), Int32(protocols))
        guard descriptor >= 0 else { return nil }
        // sockaddr_ll, which Glibc's module leaves out: family, protocol, index of the interface.
        var address = [UInt8](repeating: 0, count: 20)
        address.withUnsafeMutableBytes { octets in
            octets.storeBytes(of: 17, as: UInt16.self)
            octets.storeBytes(of: protocols, toByteOffset: 2, as: UInt16.self)
            octets.storeBytes(of: if_nametoindex(interface), toByteOffset: 4, as: UInt32.self)
        }
        let bound = address.withUnsafeBytes { octets in
            bind(descriptor, octets.bindMemory(to: sockaddr.self).baseAddress, socklen_t(octets.count))
        }
        guard bound == 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Those that came since the last call.
    public func take() -> [Record] {
        var records: [Record] = []
        var packet = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &packet, packet.count, 0)
            guard count > 0 else { return records }
            records += Self.read(Array(packet[..<count]))
        }
    }

    private static func read(_ packet: [UInt8]) -> [Record] {
        guard packet.count >= 32 else { return [] }
        if packet[0] >> 4 == 4 {
            let start = Int(packet[0] & 0xf) * 4
            guard packet[9] == 2, packet.count > start, packet[start] == 0x22 else { return [] }
            return records(packet[start...].dropFirst(8), octets: 4, family: AF_INET)
        }
        // Hop-by-hop options with a router alert, then ICMPv6.
        guard packet[0] >> 4 == 6, packet[6] == 0, packet.count > 48, packet[40] == 58, packet[48] == 143 else {
            return []
        }
        return records(packet[48...].dropFirst(8), octets: 16, family: AF_INET6)
    }

    private static func records(_ bytes: ArraySlice<UInt8>, octets: Int, family: Int32) -> [Record] {
        var rest = bytes
        var result: [Record] = []
        while rest.count >= 4 + octets {
            let head = Array(rest.prefix(4))
            rest = rest.dropFirst(4)
            var addresses: [String] = []
            for _ in 0...(Int(head[2]) << 8 | Int(head[3])) where rest.count >= octets {
                addresses.append(text(Array(rest.prefix(octets)), family))
                rest = rest.dropFirst(octets)
            }
            result.append(Record(type: head[0], group: addresses[0], sources: Array(addresses.dropFirst())))
        }
        return result
    }

    private static func text(_ octets: [UInt8], _ family: Int32) -> String {
        var text = [CChar](repeating: 0, count: 64)
        inet_ntop(family, octets, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
