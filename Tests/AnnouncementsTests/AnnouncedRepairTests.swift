// SPDX-License-Identifier: Apache-2.0
import Announcements
import JSON
import Testing
import Time
import Venue

/// What repairs a channel says the same in both forms of an announcement.
struct AnnouncedRepairTests {
    static let windows = Repair.windows(
        RepairWindows(
            endpoint: FlowEndpoint(address: "239.192.10.2", port: 5_006, source: "10.20.0.5"), sourcePackets: 100,
            repairPackets: 30, depth: 6, symbolOctets: 1_337, generator: .rfc5510, span: .milliseconds(1_200)))
    static let parity = Repair.parity(
        RepairParity(
            columns: FlowEndpoint(address: "239.192.10.1", port: 5_006),
            rows: FlowEndpoint(address: "239.192.10.3", port: 5_100), span: .milliseconds(400)))
    static let second = SecondPath(
        endpoint: FlowEndpoint(address: "239.193.10.1", port: 5_004, source: "10.21.0.5"), skew: .milliseconds(450))

    static func transports() -> [Transport] {
        var result: [Transport] = []
        for repair in [nil, windows, parity] {
            for path in [nil, second] {
                for sources in [[], ["10.20.0.5"], ["10.20.0.5", "10.20.0.6", "10.20.0.7"]] {
                    var transport = Transport(
                        address: "239.192.10.1", port: 5_004, source: sources.first,
                        encapsulation: .rtp(payloadType: 33))
                    transport.furtherSources = Array(sources.dropFirst())
                    transport.repair = repair
                    transport.secondPath = path
                    result.append(transport)
                }
            }
        }
        return result
    }

    @Test func bothFormsReadWhatTheyWrite() throws {
        for transport in Self.transports() {
            var announcement = AnnouncementTests.full
            announcement.transport = transport
            announcement.contentType = "application/json"
            let read = try Announcement(announcement.encoded)
            #expect(
                read == announcement && read.unusableRepair == nil && read.channel.contentType == "application/json")
            #expect(announcement.encoded.count < 1_024)
            let session = SessionDescription(
                announcing: announcement.channel, origin: try #require(NumericAddress("10.20.0.5")), version: 1, ttl: 4)
            let described = try SessionDescription(session.text)
            #expect(described.media == session.media && described.unusableRepair == nil)
            #expect(described.programme?.transport == transport, "\(session.text)")
            #expect(described.elementaryStreams.isEmpty)
        }
    }

    @Test func parityThatSaysNoPlaceIsBesideTheMedia() throws {
        let json = try Self.least(repair: ["scheme": "parity", "spanMs": 300])
        let transport = try Announcement(json: json).transport
        guard case .parity(let parity)? = transport.repair else {
            Issue.record("no parity")
            return
        }
        #expect(parity.columns == FlowEndpoint(address: "239.0.0.1", port: 3))
        #expect(parity.rows == FlowEndpoint(address: "239.0.0.1", port: 5))
        #expect(RepairParity(beside: "239.0.0.1", port: 65_532, span: .zero).rows == nil)
    }

    /// What a box cannot do it hears the channel without.
    @Test func whatCannotBeDoneIsLeftOut() throws {
        let windows: JSONValue = [
            "scheme": "windows", "port": 5_006, "sourcePackets": 200, "repairPackets": 55, "spanMs": 500,
        ]
        #expect(try Announcement(json: Self.least(repair: windows)).unusableRepair == nil)
        let cases: [(JSONValue, UnusableRepair)] = [
            (["repairPackets": 56], .windowSize(source: 200, repair: 56)), (["depth": 65], .depth(65)),
            (["symbolOctets": 9_000], .symbolOctets(9_000)), (["scheme": "raptorq"], .unknownScheme("raptorq")),
            (["depth": 64], .memory(octets: 64 * 255 * 1_400)),
        ]
        for (patch, reason) in cases {
            let announcement = try Announcement(json: Self.least(repair: windows.merging(patch: patch)))
            #expect(announcement.unusableRepair == reason && announcement.transport.repair == nil)
            #expect(!reason.description.isEmpty)
        }
        var raw = try Self.least(repair: windows)
        raw = raw.merging(patch: ["transport": ["encapsulation": "raw"]])
        #expect(try Announcement(json: raw).unusableRepair == .bareStream)
    }

    static func least(repair: JSONValue) throws -> JSONValue {
        try JSONValue.parse(AnnouncementTests.least).merging(patch: ["transport": ["repair": repair]])
    }

    // MARK: SDP of others

    @Test func readsWhatRFC6865Describes() throws {
        let transport = try #require(SessionDescription(RepairDescriptions.framework).programme?.transport)
        let endpoint = FlowEndpoint(address: "233.252.0.2", port: 30_002)
        #expect(
            transport.repair
                == .windows(
                    RepairWindows(
                        endpoint: endpoint, sourcePackets: 200, repairPackets: 55, symbolOctets: 1_400,
                        span: .milliseconds(150))))
    }

    @Test(
        arguments: [
            ("ss-fssi=E:1400,S:0,m:8", "ss-fssi=E:1400,S:0,m:7", .fieldSize(7)),
            ("encoding-id=8; preference-lvl=1", "encoding-id=6", .encoding(6)),
            ("IN IP4 233.252.0.2/127", "IN IP4 repair.example", .noEndpoint),
            ("E:1400", "E:9000", .symbolOctets(9_000)),
        ] as [(String, String, UnusableRepair)])
    func saysWhyNot(old: String, new: String, reason: UnusableRepair) throws {
        // The second repair flow of the description is over GF(2^7), which is none of ours.
        let text = RepairDescriptions.framework.replacing(old, with: new)
        let session = try SessionDescription(text)
        #expect(session.unusableRepair == reason)
        #expect(session.programme?.transport.port == 30_000 && session.programme?.transport.repair == nil)
    }

    @Test func readsParityByItsParameters() throws {
        var transport = try #require(SessionDescription(RepairDescriptions.parity).programme?.transport)
        let endpoint = FlowEndpoint(address: "ff05::7", port: 5_006)
        #expect(transport.repair == .parity(RepairParity(columns: endpoint, rows: nil, span: .milliseconds(200))))
        let rows = RepairDescriptions.parity.replacing("D=10", with: "D=1")
        transport = try #require(SessionDescription(rows).programme?.transport)
        #expect(transport.repair == .parity(RepairParity(columns: nil, rows: endpoint, span: .milliseconds(200))))
    }

    @Test func anotherSessionSaysNothingOfRepair() throws {
        let text = "v=0\no=- 1 2 IN IP4 10.0.0.1\ns=x\nc=IN IP4 239.0.0.1/4\nm=video 5004 RTP/AVP 33\n"
        let session = try SessionDescription(text)
        #expect(session.unusableRepair == nil && session.programme?.transport.repair == nil)
        #expect(session.programme?.transport.secondPath == nil)
    }
}
