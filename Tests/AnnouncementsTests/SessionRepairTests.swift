// SPDX-License-Identifier: Apache-2.0
import Announcements
import Testing
import Time

struct SessionRepairTests {
    @Test func readsFrameworkFlows() throws {
        let session = try SessionDescription(RepairDescriptions.framework)
        #expect(session.media.map(\.sourceFlow) == [SourceFlow(id: 0, tagLength: 6), nil, nil])
        #expect(session.media.map(\.repairFlow?.window) == [nil, .milliseconds(150), .milliseconds(200)])
        #expect(
            session.media[1].repairFlow?.scheme
                == .framework(
                    encodingID: 8, preference: 1, information: SchemeInformation("E:1400,S:0,m:8"),
                    receiverInformation: SchemeInformation()))
        guard case .framework(8, 0, let information, let receivers)? = session.media[2].repairFlow?.scheme else {
            Issue.record("no framework flow")
            return
        }
        #expect(information.integer("E") == 1_234 && information.integer("m") == 7 && information.unread == ["AbCd"])
        #expect(information.integer("M") == nil && receivers.values == ["x": "1"])
        #expect(
            session.groups.map(\.semantics) == ["FEC-FR", "LS"] && session.groups.map(\.isRepair) == [true, false])
        #expect(session.repairs(of: session.media[0]).map(\.port) == [30_002, 30_004])
        #expect(session.repairs(of: session.media[1]).map(\.port) == [30_004])
        #expect(session.programme?.transport.port == 30_000 && session.elementaryStreams.isEmpty)
    }

    @Test func readsParityFlows() throws {
        let session = try SessionDescription(RepairDescriptions.parity)
        let repair = try #require(session.repairs(of: session.media[0]).first?.repairFlow)
        guard case .payloadFormat(let format) = repair.scheme else {
            Issue.record("no payload format")
            return
        }
        #expect(format.parameters.integer("l") == 5 && format.parameters.integer("D") == 10)
        #expect(repair.window == .milliseconds(200))
        #expect(session.endpoint(of: session.media[1])?.port == 5_006 && session.elementaryStreams.isEmpty)
    }

    /// A repair that cannot be read is none; the session is still what it is.
    @Test(arguments: [
        "a=fec-repair-flow: preference-lvl=1", "a=fec-repair-flow: encoding-id=300", "a=fec-repair-flow",
        "a=fec-source-flow: id=-1", "a=fec-source-flow",
    ])
    func whatCannotBeReadIsAbsent(line: String) throws {
        let text = "v=0\no=- 1 2 IN IP4 10.0.0.1\ns=x\nm=application 1 UDP/FEC\n\(line)\n"
        let media = try #require(SessionDescription(text).media.first)
        #expect(media.repairFlow == nil && media.sourceFlow == nil)
    }

    @Test(
        arguments: [
            ("150ms", .milliseconds(150)), (" 150 ms", .milliseconds(150)), ("7us", Nanoseconds(7_000)),
            ("40", .milliseconds(40)), ("0", nil), ("-1", nil), ("61000ms", nil), ("5s", nil), ("", nil),
            ("99999999999999999999ms", nil), ("9223372036854775807ms", nil),
        ] as [(String, Nanoseconds?)])
    func windowsAreBounded(text: String, window: Nanoseconds?) throws {
        let head = "v=0\no=- 1 2 IN IP4 10.0.0.1\ns=x\nm=application 1 UDP/FEC x\na=fec-repair-flow: encoding-id=8\n"
        let repair = try #require(SessionDescription(head + "a=repair-window:\(text)\n").media.first?.repairFlow)
        #expect(repair.window == window)
    }

    @Test func schemeInformationIsBounded() {
        let information = SchemeInformation(String(repeating: "x,", count: 40))
        #expect(information.unread.count == 16 && information.values.isEmpty)
    }
}
