// SPDX-License-Identifier: Apache-2.0
import Testing

/// The test of the test: each way to break a rule is seen, alone and where it is.
@Suite struct RuleTests {
    struct Breach: CustomTestStringConvertible, Sendable {
        let rule: Rule
        /// Where the one violation must lie.
        let place: String
        let make: @Sendable (inout SmallTree) -> Void

        init(_ rule: Rule, at place: String, _ make: @escaping @Sendable (inout SmallTree) -> Void) {
            self.rule = rule
            self.place = place
            self.make = make
        }

        var testDescription: String { "\(rule) at \(place)" }
    }

    private static let line = "let one = 1\n"

    static let breaches: [Breach] = [
        Breach(.misplaced, at: "Sources/Elsewhere/Thing") { $0.misplaced = ["Sources/Elsewhere/Thing"] },
        Breach(.misplaced, at: "RTP") { $0.move("RTP", to: "Sources/Wire/Other") },
        Breach(.upward, at: "Other") { $0.add(.devices, "Other", "import Reception") },
        Breach(.upward, at: "Other") { $0.add(.base, "Other", "import Venue") },
        Breach(.upward, at: "Other") { $0.add(.engines, "Other", "@testable import Box") },
        Breach(.upward, at: "Other") { $0.add(.products, "Other", "package import boxd") },
        Breach(.sideways, at: "Presentation") { $0.add(to: "Presentation", "import Reception") },
        Breach(.sideways, at: "Other") { $0.add(.wire, "Other", "import struct RTP.Header") },
        Breach(.sideways, at: "Other") { $0.add(.wire, "Other", "import Media") },
        Breach(.sideways, at: "Other") { $0.add(.media, "Other", "@preconcurrency public import RTP") },
        Breach(.sideways, at: "Other") { $0.add(.devices, "Other", "import Display") },
        Breach(.sideways, at: "Guide") { $0.add(.features, "Guide", "import Tuning") },
        Breach(.upward, at: "Guide") { $0.add(.features, "Guide", "import Box") },
        Breach(.upward, at: "Other") { $0.add(.engines, "Other", "import Tuning") },
        Breach(.sideways, at: "Other") { $0.add(.products, "Other", "import Box") },
        Breach(.reachesPast, at: "Venue") { $0.add(to: "Venue", "import Bytes") },
        Breach(.reachesPast, at: "Other") {
            $0.add(.cLibraries, "COther")
            $0.add(.engines, "Other", "internal import COther")
        },
        Breach(.forbiddenModule, at: "RTP") { $0.addFile(to: "RTP", SmallTree.licence + "import Glibc") },
        Breach(.forbiddenModule, at: "Venue") { $0.add(to: "Venue", "internal import FoundationEssentials") },
        Breach(.forbiddenModule, at: "Venue") { $0.add(to: "Venue", "import struct Foundation.Data") },
        Breach(.forbiddenModule, at: "System") { $0.add(to: "System", "import Foundation") },
        Breach(.forbiddenModule, at: "Box") { $0.add(to: "Box", "#if canImport(Glibc)\n    import Glibc\n#endif") },
        Breach(.oneImporter, at: "CGlass") { $0.add(.devices, "Other", "internal import CGlass") },
        Breach(.oneImporter, at: "COther") { $0.add(.cLibraries, "COther") },
        Breach(.cycle, at: "Bytes, Time") {
            $0.add(to: "Bytes", "import Time")
            $0.add(to: "Time", "import Bytes")
        },
        Breach(.cycle, at: "Other, Place, Venue") {
            $0.add(.domain, "Other", "import Venue")
            $0.add(.domain, "Place", "import Other")
            $0.add(to: "Venue", "import Place")
        },
        Breach(.undeclared, at: "Box") { $0.addFile(to: "Box", SmallTree.licence + "import System") },
        Breach(.unused, at: "Box") { $0.declare(in: "Box", ["System"]) },
        Breach(.map, at: "Lost") { $0.mapRows = ["| Base | `Lost` | words |"] },
        Breach(.map, at: "RTP") { $0.mapRows = ["| Media | `RTP` | words |"] },
        Breach(.longFile, at: "Sources/Wire/RTP/1.swift") {
            $0.addFile(to: "RTP", SmallTree.licence + String(repeating: line, count: 400))
        },
        Breach(.longFile, at: "Tests/LongTests.swift") {
            $0.testFiles = [
                SourceFile(
                    path: "Tests/LongTests.swift", text: SmallTree.licence + String(repeating: line, count: 400))
            ]
        },
        Breach(.longProgram, at: "boxd") {
            $0.addFile(to: "boxd", SmallTree.licence + String(repeating: line, count: 30))
            $0.addFile(to: "boxd", SmallTree.licence + String(repeating: line, count: 30))
        },
        Breach(.crowdedType, at: "Sources/Products/Box/1.swift") {
            let members = "    private let one = 1\n    var two: Int { 2 }\n    static let three = 3\n"
            let type = "@MainActor final class Crowd {\n" + String(repeating: members, count: 16) + "}\n"
            $0.addFile(to: "Box", SmallTree.licence + type)
        },
        Breach(.licence, at: "Sources/Wire/RTP/1.swift") { $0.addFile(to: "RTP", "\n\n" + SmallTree.licence) },
    ]

    @Test(arguments: breaches) func isSeenAlone(breach: Breach) {
        var small = SmallTree()
        breach.make(&small)
        let violations = small.tree.violations
        #expect(violations.map(\.rule) == [breach.rule], "\(violations)")
        #expect(violations.map(\.place) == [breach.place])
    }

    @Test func everyRuleIsBroken() {
        #expect(Set(Self.breaches.map(\.rule)) == Set(Rule.allCases))
    }

    @Test func smallTreeKeepsEveryRule() { #expect(SmallTree().tree.violations == []) }

    @Test func targetOffTheMap() {
        var tree = SmallTree().tree
        tree.readme = "# Touchline\n"
        #expect(Set(tree.violations.map(\.place)) == Set(tree.targets.map(\.name)))
        #expect(tree.violations.allSatisfy { $0.rule == .map })
    }

    /// What looks like a breach and is none.
    @Test func spares() {
        var small = SmallTree()
        let long = String(repeating: Self.line, count: 400)
        small.addFile(to: "RTP", SmallTree.licence + "// long because: a table of the standard\n" + long)
        small.addFile(
            to: "RTP", "// a vector\n" + SmallTree.licence + "// import Glibc\nlet important = 1  // import Glibc")
        small.addFile(to: "RTP", SmallTree.licence + "let text = \"\"\"\n    import Glibc\n    \"\"\"\nimport Venue")
        small.addFile(to: "RTP", SmallTree.licence + "func run() { import_Glibc() }")
        small.add(.devices, "Other", "import System")
        #expect(small.tree.violations == [])
    }
}
