// SPDX-License-Identifier: Apache-2.0
import Bytes
import Media
import TestSupport
import Testing
import Time
import Venue

@testable import Recording

@Suite struct BundleTests {
    private static func image(_ records: [(UInt8, [UInt8])]) -> RingImage {
        let ring = RingMemory(capacity: 1 << 20).ring()
        for (index, record) in records.enumerated() {
            record.1.withUnsafeBytes { ring.append(record.0, at: Monotonic(nanoseconds: Int64(index)), $0) }
        }
        return ring.image()
    }

    /// A bundle with all kinds of sections.
    static func file(limit: Int = 1 << 20) throws -> [UInt8] {
        let transport = Transport(address: "239.0.0.1", port: 5_004, encapsulation: .rtp(payloadType: 33))
        let flow = try #require(
            FlowDescription(
                "Arena", transport, bandwidthKbps: 0, program: "", counters: ["datagrams"], keepsPayload: false))
        var plan = BundlePlan(head: Array(#"{"kind":"command"}"#.utf8), settings: Array("{}".utf8))
        let line = Array(#"{"event":"tuned"}"#.utf8)
        plan.journal = image((0..<20).map { _ in (16, line) })
        plan.samples = image((0..<3).map { _ in (17, line) })
        let memory = RingMemory(capacity: 1 << 20)
        let ring = memory.ring()
        let tap = PacketRing(ring, keepsPayload: false, isProtected: false)
        var random = SplitMix64(seed: 1)
        for number in 0..<2_000 {
            let datagram = (0..<400).map { _ in UInt8.random(in: 0...255, using: &random) }
            datagram.withUnsafeBytes {
                tap.take(.datagram, $0, part: 0, at: Monotonic(nanoseconds: Int64(number)))
            }
        }
        plan.flows = [.init(description: flow.json.octets(), packets: ring.image())]
        return try #require(plan.octets(atMost: limit))
    }

    @Test func whatIsWrittenIsRead() throws {
        let bundle = try Bundle(parsing: try Self.file())
        #expect(bundle.cut == nil)
        #expect(bundle.sections.prefix(5).map(\.kind) == [.head, .settings, .flow, .events, .statistics])
        #expect(try bundle.flows().first?.inputs.count == 2_000)
        #expect(bundle.sections[3].octets.split(separator: 0x0A).count == 20)
    }

    /// Wherever a file ends, what stands before that is of use, and its end is told.
    @Test func aCutFileHasWhatIsBeforeIt() throws {
        let file = try Self.file()
        let whole = try Bundle(parsing: file)
        for length in stride(from: 12, to: file.count, by: 13) {
            let bundle = try Bundle(parsing: Array(file.prefix(length)))
            #expect(bundle.cut != nil)
            #expect(bundle.sections == Array(whole.sections.prefix(bundle.sections.count)))
            _ = try bundle.flows()
        }
        for length in 0..<12 {
            #expect { _ = try Bundle(parsing: Array(file.prefix(length))) } throws: { $0 is RecordingError }
        }
    }

    /// Every octet is guarded: by the magic, the version, the check sum of its section, or what follows.
    @Test func anAlteredFileIsRefusedOrCut() throws {
        let file = try Self.file(limit: 40_000)
        var random = SplitMix64(seed: 3)
        for place in [0, 7, 8, 9, 12, 16, 17, 18, 20, 23, 24, 28, 31, 40]
            + (0..<300).map({ _ in Int.random(in: 12..<file.count, using: &random) })
        {
            var altered = file
            altered[place] ^= UInt8.random(in: 1...255, using: &random)
            do {
                let bundle = try Bundle(parsing: altered)
                #expect(bundle.cut != nil, "octet \(place)")
            } catch {
                #expect(!error.description.contains("\n"))
            }
        }
    }

    /// What is too much is left out from the end: the essential part and the newest packets stay.
    @Test func aBundleIsAsShortAsItHasToBe() throws {
        let whole = try Self.file()
        let short = try Self.file(limit: whole.count - 1)
        #expect(short.count < whole.count)
        let bundle = try Bundle(parsing: short)
        #expect(bundle.cut == nil && bundle.sections.contains { $0.kind == .head })
    }

    @Test func pathsInABundleAreTexts() throws {
        var plan = BundlePlan(head: Array(#"{"id":"../../../etc/passwd"}"#.utf8), settings: [])
        plan.flows = [.init(description: Array(#"{"channel":"/etc/passwd"}"#.utf8), packets: Self.image([]))]
        let bundle = try Bundle(parsing: try #require(plan.octets(atMost: 10_000)))
        #expect { _ = try bundle.flows() } throws: { "\($0)".contains("encapsulation") }
    }
}
