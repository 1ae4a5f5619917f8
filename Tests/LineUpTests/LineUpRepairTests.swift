// SPDX-License-Identifier: Apache-2.0
import Announcements
import Testing
import Time
import Venue

@testable import LineUp

struct LineUpRepairTests {
    /// A channel whose repair is beyond the box is listed without, and each announcement that says so is counted.
    @Test func whatCannotBeRepairedIsListedAllTheSame() throws {
        let text = """
            v=0\r\no=- 7 1 IN IP4 10.0.0.1\r\ns=Wide\r\nc=IN IP4 239.0.0.1/4\r\nt=0 0\r\na=group:FEC-FR S1 R1\r
            m=video 5004 RTP/AVP 33\r\na=mid:S1\r\na=fec-source-flow: id=0\r
            m=application 5006 UDP/FEC\r\na=mid:R1\r\na=fec-repair-flow: encoding-id=8; fssi=E:1400,S:0,m:16\r\n
            """
        var lineUp = LineUp()
        let sender = try #require(NumericAddress("10.0.0.1"))
        let datagram = [0x20, 0, 0, 1, 10, 0, 0, 1] + Array("application/sdp\0".utf8) + Array(text.utf8)
        for second in 1...3 {
            _ = datagram.withUnsafeBytes {
                lineUp.handle(datagram: $0, from: sender, at: Monotonic(nanoseconds: 0) + .seconds(Int64(second)))
            }
        }
        #expect(lineUp.channels.map(\.name) == ["Wide"] && lineUp.channels.first?.transport.repair == nil)
        #expect(lineUp.counters.announcementsUnrepairable == 3 && lineUp.counters.faults == 3)
        #expect(lineUp.lastFault?.reason == .unusableRepair(.fieldSize(16)))
    }
}
