// SPDX-License-Identifier: Apache-2.0
import JSON
import Reports
import Testing
import Time

@testable import Simulating

struct SimulatedVenueTests {
    private func venue(_ names: [SimulatedStory.Name] = [], boxCount: Int = 1_000, seed: UInt64 = 7) -> SimulatedVenue {
        SimulatedVenue(
            boxCount: boxCount, seed: seed,
            stories: names.map { SimulatedStory($0, .seconds(100)..<Nanoseconds.seconds(200)) })
    }

    private func report(_ venue: SimulatedVenue, _ box: Int, sequence: UInt64 = 2, at seconds: Int64) throws -> Report {
        let members = venue.state(
            of: box, sequence: sequence, since: .zero, last: .seconds(seconds - 10), at: .seconds(seconds))
        let made = Report(
            box: venue.identifier(of: box), boot: "00000001-0123456789abcdef", sequence: sequence, kind: .state,
            monotonicMs: seconds * 1_000, wall: nil, coversMs: 10_000, members: members)
        return try Report(parsing: made.octets)
    }

    private func lost(_ report: Report) -> Int64 {
        report.document["accessPoints"]?.array?.first?["lost"]?.integer ?? -1
    }

    /// What a reporter refuses would load it otherwise than boxes do.
    @Test func reportsAreOfTheForm() throws {
        let venue = venue(SimulatedStory.Name.allCases, boxCount: 130)
        for box in 0..<130 {
            for seconds in [10, 110, 150, 210] as [Int64] {
                for sequence in [1, 2] as [UInt64] {
                    let report = try report(venue, box, sequence: sequence, at: seconds)
                    let size = report.octets.count
                    #expect(sequence == 1 ? (3_000...9_000).contains(size) : (800...2_500).contains(size), "\(size)")
                }
            }
        }
    }

    @Test func theSameSeedIsTheSameVenue() throws {
        #expect(try report(venue(), 17, at: 40) == report(venue(), 17, at: 40))
        #expect(try report(venue(), 17, at: 40) != report(venue(seed: 8), 17, at: 40))
    }

    @Test func countsNeverFall() {
        let venue = venue([.accessPoint, .badChannel])
        for box in stride(from: 0, to: 1_000, by: 13) {
            var before = SimulatedCounts()
            for seconds in stride(from: 0, through: 300, by: 10) as StrideThrough<Int64> {
                let counts = venue.counts(of: box, from: .zero, to: .seconds(seconds))
                let delta = counts - before
                #expect(delta.packets >= 0 && delta.lost >= 0 && delta.failedWindows >= 0 && delta.retries >= 0)
                #expect(delta.failedWindows <= delta.windows + 1)
                before = counts
            }
        }
    }

    /// The boxes of one access point lose packets while it is faulty, and no others.
    @Test func aFaultyAccessPointIsSeen() throws {
        let venue = venue([.accessPoint])
        for box in 0..<1_000 {
            let isConcerned = venue.accessPoint(of: box).number == 13
            let isLossy = try lost(report(venue, box, at: 150)) > 100
            #expect(isLossy == isConcerned)
            #expect(try lost(report(venue, box, at: 90)) == 0)
            #expect(try lost(report(venue, box, at: 230)) == 0)
        }
    }

    @Test func aBadChannelIsSeen() throws {
        let venue = venue([.badChannel])
        let channels = try Set(
            (0..<1_000).filter { try lost(report(venue, $0, at: 150)) > 100 }.map {
                venue.accessPoint(of: $0).channel
            })
        #expect(channels == [161])
        let busy = try report(venue, 15 * 25, at: 150).document["wifi"]?.array?.first?["busyPPM"]?.integer ?? 0
        #expect(busy > 850_000)
    }

    @Test func aDeadSwitchCutsItsBoxesOff() {
        let venue = venue([.deadSwitch])
        let cut = (0..<1_000).filter { venue.isCutOff($0, at: .seconds(150)) }
        #expect(cut == Array(500..<600))
        #expect(!(0..<1_000).contains { venue.isCutOff($0, at: .seconds(99)) || venue.isCutOff($0, at: .seconds(200)) })
        #expect(venue.events(of: 500, from: .seconds(95), to: .seconds(105)) != nil)
        #expect(venue.events(of: 499, from: .seconds(95), to: .seconds(105)) == nil)
    }

    @Test func aRolloutReachesOneBoxAfterTheOther() throws {
        let venue = venue([.rollout])
        let times = (0..<1_000).compactMap { venue.restart(of: $0) }
        #expect(times.count == 1_000 && times == times.sorted() && times.last ?? .zero < .seconds(200))
        let members = venue.state(of: 3, sequence: 1, since: times[3], last: times[3], at: .seconds(120))
        #expect(members["identity"]?["version"] == "1.1.0")
        #expect(try report(venue, 3, at: 120).document["identity"]?["version"] == "1.0.0")
    }
}
