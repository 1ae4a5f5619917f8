// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import CompanionScreens

/// Every text, cut at each place and damaged at random.
@Suite struct DamagedTextTests {
    private struct Reader: Sendable {
        let text: String
        /// What is written again of what was read; nil if nothing was.
        let reread: @Sendable ([UInt8]) -> [UInt8]?
    }

    // Refusing is an answer.
    private static let readers: [Reader] = [
        Reader(text: Captured.firstCII) { (try? CIIMessage(parsing: $0))?.octets },
        Reader(text: Captured.status) { (try? CIIMessage(parsing: $0))?.octets },
        Reader(text: Captured.content) { (try? CIIMessage(parsing: $0))?.octets },
        Reader(text: Captured.setup) { (try? SetupData(parsing: $0))?.octets },
        Reader(text: Captured.playing) { (try? ControlTimestamp(parsing: $0))?.octets },
        Reader(text: Captured.paused) { (try? ControlTimestamp(parsing: $0))?.octets },
        Reader(text: Captured.unavailable) { (try? ControlTimestamp(parsing: $0))?.octets },
        Reader(text: Captured.presentation) { (try? PresentationTimestamps(parsing: $0))?.octets },
    ]

    @Test func everyTruncationIsRefused() {
        for reader in Self.readers {
            let whole = Array(reader.text.utf8)
            #expect(reader.reread(whole) == whole)
            for count in 0..<whole.count { #expect(reader.reread(Array(whole.prefix(count))) == nil) }
        }
    }

    /// What is read in spite of damage is written so that it is read as the same.
    @Test(arguments: Effort.seeds(500)) func damageIsRefusedOrReadWhole(seed: UInt64) {
        var mutation = Mutation(seed: seed)
        for reader in Self.readers {
            guard let octets = reader.reread(mutation.damage(Array(reader.text.utf8))) else { continue }
            #expect(reader.reread(octets) == octets)
        }
    }

    /// Every value of every message in the place of every other: a wrong shape changes nothing and is told.
    @Test func wrongShapesChangeNothing() throws {
        let known = try ContentInformation(first: CIIMessageTests.parse(Captured.firstCII))
        let shapes = ["true", "7", "-1.5", #""x y""#, "[]", "{}", "[[]]", #"[{"type":7}]"#, #"{"a":null}"#]
        for name in CIIMessage.Name.allCases {
            for shape in shapes {
                var after = known
                let error = thrown(CompanionMessageError.self) {
                    after.merge(try CIIMessageTests.parse("{\"\(name.rawValue)\":\(shape)}"))
                }
                guard error == nil else {
                    #expect(after == known)
                    continue
                }
                let accepted: [CIIMessage.Name: [String]] = [
                    .contentId: [#""x y""#], .mrsUrl: [#""x y""#], .timelines: ["[]"], .privateData: ["[]"],
                ]
                #expect(accepted[name]?.contains(shape) == true, "\(name) is \(shape)")
            }
        }
    }
}
