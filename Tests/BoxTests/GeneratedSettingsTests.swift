// SPDX-License-Identifier: Apache-2.0
import FeatureTesting
import Foundation
import JSON
import Shapes
import TestSupport
import Testing

@testable import Box

/// Documents of settings made from their description, valid and not: 400 here, a hundred thousand in `board/soak`.
@Suite struct GeneratedSettingsTests {
    private static let kind = ValueKind.record(Box.sections.map(\.field))

    /// SVM-12, SVM-19: whatever the document, and whatever fails on the way: either everything is the new document, or
    /// everything is as before, and the refusal names path and expectation.
    @Test(arguments: Effort.batches(400)) func eachIsTakenWholeOrNotAtAll(seeds: ClosedRange<UInt64>) throws {
        let bench = try SettingsBench()
        for seed in seeds { try bench.change(seed: seed) }
        guard seeds.count >= 20 else { return }
        #expect(bench.takenCount * 20 > seeds.count && bench.refusedCount * 20 > seeds.count, "the draw is one-sided")
    }

    /// Each kind of value occurs among the documents that are drawn, valid and with a fault.
    @Test func theDescriptionTakesWhatIsValidAndNamesEachFault() {
        var paths: Set<String> = []
        for seed in Effort.seeds(300) {
            var generator = DocumentGenerator(seed: seed &+ Effort.seed, density: 60)
            let valid = generator.value(of: Self.kind)
            #expect(Self.kind.problems(of: valid).isEmpty, "seed \(seed)")
            let faulty = generator.faulty(Self.kind)
            let problems = Self.kind.problems(of: faulty.value)
            #expect(problems.map(\.path).contains(faulty.path), "seed \(seed): \(faulty.path)")
            paths.insert(faulty.path)
        }
        #expect(paths.count > 30 || Effort.isReduced, "the faults are always in the same place")
    }

    /// SVM-20: the published schema says the same of each document as the box.
    @Test(.enabled(if: JSONSchemaPeer.isThere)) func anotherValidatorAgrees() throws {
        let schema = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../config/settings.schema.json").standardizedFileURL.path
        var documents: [(text: String, isValid: Bool)] = []
        for seed in Effort.seeds(150) {
            var generator = DocumentGenerator(seed: seed &+ Effort.seed, density: 25)
            documents.append((generator.value(of: Self.kind).text(), true))
            documents.append((generator.faulty(Self.kind).value.text(), false))
        }
        let verdicts = try JSONSchemaPeer.verdicts(on: documents.map(\.text), schema: schema)
        try #require(verdicts.count == documents.count)
        for (document, verdict) in zip(documents, verdicts) {
            #expect(verdict == document.isValid, "\(document.text.prefix(2_000))")
        }
        PeerLog.add("jsonschema", test: "GeneratedSettingsTests", checks: verdicts.count)
    }
}
