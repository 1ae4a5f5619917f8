// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import TestSupport
import Testing

@testable import Diagnosing

/// G-12, M6: which link is named, of what is known.
struct ChainDiagnosisTests {
    private static let order = ChainLink.allCases

    @Test(arguments: StagedFault.all) func eachFaultNamesItsLink(fault: StagedFault) {
        var evidence = HealthyEvidence.usual
        fault.apply(&evidence)
        let diagnosis = ChainDiagnosis(evidence)
        let blamed = diagnosis.blamed
        #expect(blamed?.link == fault.link && blamed?.state == (fault.isDoubt ? .doubtful : .broken))
        #expect(blamed?.found.isEmpty == false && blamed?.advice?.isEmpty == false)
        let beginning =
            fault.isDoubt
            ? "No link is broken, but \(fault.link.rawValue) is doubtful: "
            : "The first broken link is \(fault.link.rawValue): "
        #expect(diagnosis.sentence.hasPrefix(beginning) && diagnosis.sentence.hasSuffix("."))
        #expect(!diagnosis.sentence.dropLast().contains(". "), "one sentence: \(diagnosis.sentence)")
    }

    /// What is broken goes before what is doubtful, and causes before what follows from them.
    @Test func ofTwoFaultsTheFirstIsNamed() throws {
        var count = 0
        for one in StagedFault.all {
            for other in StagedFault.all where one.subject == nil || one.subject != other.subject {
                guard one.link != other.link else { continue }
                let places = try (
                    #require(Self.order.firstIndex(of: one.link)), #require(Self.order.firstIndex(of: other.link))
                )
                var evidence = HealthyEvidence.usual
                one.apply(&evidence)
                other.apply(&evidence)
                let isFirst = one.isDoubt == other.isDoubt ? places.0 < places.1 : other.isDoubt
                let expected = isFirst ? one : other
                let blamed = ChainDiagnosis(evidence).blamed
                #expect(blamed?.link == expected.link, "\(one) and \(other): \(blamed?.found ?? "nothing")")
                count += 1
            }
        }
        #expect(count > 1_500)
    }

    /// Each link can be blamed.
    @Test func noLinkIsLeftOut() {
        #expect(Set(StagedFault.all.map(\.link)) == Set(ChainLink.allCases))
        #expect(StagedFault.all.map(\.link) == StagedFault.all.map(\.link).sorted { Self.place($0) < Self.place($1) })
    }

    private static func place(_ link: ChainLink) -> Int { order.firstIndex(of: link) ?? -1 }

    @Test(arguments: Effort.seeds(1_000)) func aHealthyBoxIsBlamedForNothing(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let diagnosis = ChainDiagnosis(HealthyEvidence.random(&random))
        #expect(diagnosis.blamed == nil, "\(diagnosis.sentence)")
        #expect(diagnosis.sentence.hasPrefix("No link is broken"))
        #expect(diagnosis.findings.map(\.link) == ChainLink.allCases)
    }

    /// What cannot be observed is blamed for nothing, whatever else is known.
    @Test func nothingIsKnown() {
        let diagnosis = ChainDiagnosis(Evidence(), by: .client)
        #expect(diagnosis.blamed == nil)
        #expect(diagnosis.findings.allSatisfy { $0.link == .service || $0.state == .unknown })
    }

    @Test func sentences() {
        var evidence = HealthyEvidence.usual
        #expect(
            ChainDiagnosis(evidence).sentence
                == "No link is broken: One (239.1.1.1:5004): 600 packets a second.")
        evidence.sessions = []
        #expect(
            ChainDiagnosis(evidence).sentence
                == "No link is broken, and nothing is tuned; try touchline tune CHANNEL.")
        evidence.network.interfaces?[0].hasCarrier = false
        #expect(
            ChainDiagnosis(evidence).sentence
                == "The first broken link is link: eth0 has no carrier; plug in its cable; try another cable and "
                + "another port of the switch.")
    }

    /// The table and the sentence have the form of their description.
    @Test func hasTheFormThatIsPromised() {
        for fault in StagedFault.all {
            var evidence = HealthyEvidence.usual
            fault.apply(&evidence)
            let answer = ChainDiagnosis(evidence).json
            #expect(ChainDiagnosis.kind.problems(of: answer).isEmpty)
            #expect(answer["blamed"] == .string(fault.link.rawValue))
            #expect(answer["links"]?.array?.count == ChainLink.allCases.count)
        }
    }

    /// Widths that come from far: no figure makes it trap.
    @Test(arguments: [Int64.min, -1, 0, 1, Int64.max]) func figuresOfAnySize(figure: Int64) {
        var evidence = HealthyEvidence.usual
        evidence.machine.temperature = .init(zone: "", milliCelsius: Int(figure), critical: Int(figure))
        evidence.machine.memory = .init(available: figure, total: figure)
        evidence.machine.storages = [.init(path: "/", .space(available: figure))]
        evidence.announcements?.listened = figure
        evidence.sessions?[0].age = figure
        evidence.sessions?[0].span = figure
        evidence.sessions?[0].reception?.lost = figure
        evidence.sessions?[0].reception?.datagrams = figure
        evidence.sessions?[0].decoding?.units = figure
        evidence.sessions?[0].decoding?.errors = figure
        evidence.sessions?[0].decoding?.late = figure
        #expect(ChainDiagnosis(evidence).findings.count == ChainLink.allCases.count)
    }
}
