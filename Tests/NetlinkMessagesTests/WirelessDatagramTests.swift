// SPDX-License-Identifier: Apache-2.0
import NetlinkMessages
import Radio
import TestSupport
import Testing

/// What a socket receives: several messages in a datagram, and answers to requests.
@Suite struct WirelessDatagramTests {
    private static func request(_ request: WirelessRequest) -> [UInt8] { request.octets(family: 28, sequence: 7) }

    @Test func messages() throws {
        // The body of NLMSG_DONE is an integer, as long as a header of generic netlink.
        var done = GenericNetlinkMessage(command: 0, [])
        (done.family, done.version) = (3, 0)
        var foreign = RadioMessages.station
        foreign.family = 29
        let datagram =
            RadioMessages.station.octets + RadioMessages.station.multicast.octets + foreign.octets + done.octets
        let messages = try GenericNetlinkMessage.parse(datagram)
        try #require(messages.count == 4)
        #expect(try messages[0] == RadioMessages.station.reply())
        guard case .event(let event) = messages[1] else {
            Issue.record("\(messages[1]) is no event")
            return
        }
        #expect(event.kind == .stationAppeared)
        #expect(messages[2] == .other)
        #expect(messages[3] == .done)
        #expect(try GenericNetlinkMessage.parse([]) == [])
    }

    /// NLMSG_ERROR: an errno below 0, then the header of the request.
    @Test(arguments: [(0, 0), (-1, 1), (-95, 95), (Int32.min, 0x8000_0000)] as [(Int32, UInt32)])
    func errors(code: Int32, errno: UInt32) throws {
        var datagram = [UInt8](native: UInt32(36)) + [UInt8](native: UInt16(2)) + [UInt8](native: UInt16(0))
        datagram += [UInt8](native: UInt32(7)) + [UInt8](native: UInt32(4_711)) + [UInt8](native: code)
        datagram += Self.request(.interfaces).prefix(16)
        #expect(try GenericNetlinkMessage.parse(datagram) == [.failed(errno: errno)])
    }

    /// Octets of a little-endian machine: length, family, flags, sequence, port; command; index.
    @Test(
        arguments: [
            (.interfaces, "14000000 1c00 0103 07000000 00000000 | 05 00 0000"),
            (.interface(4), "1c000000 1c00 0100 07000000 00000000 | 05 00 0000 | 0800 0300 04000000"),
            (.stations(of: 4), "1c000000 1c00 0103 07000000 00000000 | 11 00 0000 | 0800 0300 04000000"),
            (.surveys(of: 258), "1c000000 1c00 0103 07000000 00000000 | 32 00 0000 | 0800 0300 02010000"),
            (.scanResults(of: .max), "1c000000 1c00 0103 07000000 00000000 | 20 00 0000 | 0800 0300 ffffffff"),
            (.regulatoryDomains, "14000000 1c00 0103 07000000 00000000 | 1f 00 0000"),
        ] as [(WirelessRequest, String)])
    func requests(request: WirelessRequest, octets: String) {
        #expect(request.isAnsweredByList == (request != .interface(4)))
        guard 1.littleEndian == 1 else { return }
        #expect(Self.request(request) == [UInt8](hexadecimal: octets))
    }
}
