// SPDX-License-Identifier: Apache-2.0
import DataMessages
import Display
import Forwarding
import JSON
import LineUp
import Mixing
import Playback
import Presentation
import Reception
import Statistics
import System
import Testing
import Venue

@testable import Box
@testable import DataChannels
@testable import Decoders
@testable import Monitoring

/// Every counter of the engines is declared, under its own name, and read where it stands.
@Suite struct DeclaredStatisticsTests {
    /// The integers of a value by the names of its members.
    private func integers(of counters: Any) -> [String: Int64] {
        var result: [String: Int64] = [:]
        for child in Mirror(reflecting: counters).children {
            guard let name = child.label, let value = child.value as? any FixedWidthInteger else { continue }
            result[name] = Int64(clamping: value)
        }
        return result
    }

    /// Counters that are 64 bit integers and nothing else: each gets a value of its own.
    private func check<Counters>(_ counters: Counters, _ statistics: [Statistic<Counters>]) {
        var counters = counters
        withUnsafeMutableBytes(of: &counters) { bytes in
            for place in 0..<bytes.count / 8 {
                bytes.storeBytes(of: Int64(1_000 + place), toByteOffset: place * 8, as: Int64.self)
            }
        }
        let expected = integers(of: counters)
        #expect(expected.count == MemoryLayout<Counters>.size / 8)
        #expect(statistics.json(of: counters) == .object(expected.mapValues { .integer($0) }))
    }

    @Test func eachIsReadByItsName() {
        check(ReceptionCounters(), ReceptionCounters.statistics)
        check(PlaybackCounters(), PlaybackCounters.statistics)
        check(ScreenTextCounters(), ScreenTextCounters.statistics)
        check(LineUpCounters(), LineUpCounters.statistics)
        check(MessageCounters(), MessageCounters.statistics)
        check(PictureCounters(), PictureCounters.statistics)
        check(DataConsumers.Counters(), DataConsumers.Counters.statistics)
    }

    @Test func eachIsDeclaredBesideOtherMembers() {
        func names(_ document: JSONValue) -> Set<String> { Set((document.object ?? [:]).keys) }
        func declared(_ document: JSONValue, _ counters: Any) -> Bool {
            names(document).isSuperset(of: integers(of: counters).keys)
        }
        #expect(declared(StageCounters.statistics.json(of: StageCounters()), StageCounters()))
        #expect(declared(PacingCounters.statistics.json(of: PacingCounters()), PacingCounters()))
        #expect(declared(RegionCounters.statistics.json(of: RegionCounters(name: "")), RegionCounters(name: "")))
        #expect(declared(MixerCounters.statistics.json(of: MixerCounters()), MixerCounters()))
        #expect(declared(InputCounters.statistics.json(of: InputCounters()), InputCounters()))
        #expect(declared(ScreenStatus.statistics.json(of: ScreenStatus()), ScreenCounters()))
        #expect(declared(TurnCounters.statistics.json(of: TurnCounters()), TurnCounters()))
    }

    /// "Shows 5": each says what it counts, and in which unit.
    @Test func eachHasUnitAndHelp() {
        var all: [StatisticDescription] = []
        func add<Counters>(_ statistics: [Statistic<Counters>]) {
            for statistic in statistics { all.append(statistic.about) }
        }
        add(ReceptionCounters.statistics)
        add(PlaybackCounters.statistics)
        add(StageCounters.statistics)
        add(PacingCounters.statistics)
        add(RegionCounters.statistics)
        add(ScreenTextCounters.statistics)
        add(MixerCounters.statistics)
        add(InputCounters.statistics)
        add(ScreenStatus.statistics)
        add(LineUpCounters.statistics)
        add(DataFigures.statistics)
        add(DecoderFigures.statistics)
        add(SessionFigures.statistics)
        add(StreamQuality.statistics)
        add(PictureCounters.statistics)
        add(TurnCounters.statistics)
        add(UploadCounters.statistics)
        #expect(all.count > 200)
        for about in all {
            #expect(about.kind != .counter || about.unit != .none, "\(about.name)")
            #expect(about.help.hasSuffix("."), "\(about.name)")
        }
    }

    /// Each name of the reference is that of one statistic.
    @Test func theReferencesNamesAreThoseOfOne() {
        var found: [String] = []
        func add<Counters>(_ statistics: [Statistic<Counters>]) {
            for statistic in statistics {
                if let name = statistic.about.reference { found.append(name) }
            }
        }
        add(SessionFigures.statistics)
        add(ReceptionCounters.statistics)
        add(PlaybackCounters.statistics)
        add(LineUpCounters.statistics)
        add(UploadCounters.statistics)
        #expect(found.sorted() == SessionStatistic.allCases.map(\.rawValue).sorted())
    }
}
