// SPDX-License-Identifier: Apache-2.0
import RTP
import Testing
import Time

@testable import Reception

struct MediaAlignmentTests {
    /// A sender whose pictures begin at tick 1000 and whose sound begins at tick 4 000 000 000, at one instant.
    private struct Sender {
        var alignment = MediaAlignment(pictureRate: 90_000, soundRate: 48_000)
        let start = Monotonic(nanoseconds: 7_000_000_000)

        /// - Parameter late: of the sound, by the network.
        mutating func send(at instant: Nanoseconds, late: Nanoseconds = .zero) -> (Nanoseconds, Nanoseconds?) {
            let picture = alignment.pictureTime(of: 1_000 &+ UInt32(truncatingIfNeeded: instant.milliseconds * 90))
            alignment.pictureReceived(decodedAt: picture, at: start + instant)
            let stamp = 4_000_000_000 &+ UInt32(truncatingIfNeeded: instant.milliseconds * 48)
            return (picture, alignment.soundTime(of: stamp, at: start + instant + late))
        }

        func report(at instant: Nanoseconds, ofSound isSound: Bool, wall: UInt64 = 3_000_000_000) -> SenderReport? {
            let milliseconds = UInt64(instant.milliseconds)
            let fraction = (milliseconds % 1_000) << 32 / 1_000
            let time = (wall + milliseconds / 1_000) << 32 | fraction
            let ticks: UInt32 = isSound ? 4_000_000_000 &+ UInt32(milliseconds * 48) : 1_000 + UInt32(milliseconds * 90)
            var bytes: [UInt8] = [0x80, 200, 0, 6, 0, 0, 0, 1]
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: time >> shift)) }
            for shift in stride(from: 24, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: ticks >> UInt32(shift)))
            }
            bytes += [UInt8](repeating: 0, count: 8)
            return bytes.withUnsafeBytes { try? SenderReport($0) } ?? nil
        }
    }

    @Test func byArrivalUntilReported() throws {
        var sender = Sender()
        for step in 0..<50 {
            let (picture, sound) = sender.send(at: .milliseconds(Int64(step) * 40), late: .milliseconds(25))
            #expect((try #require(sound) - picture - .milliseconds(25)).magnitude < .microseconds(20))
        }
        // Reports of both, of different instants.
        sender.alignment.pictureReportReceived(try #require(sender.report(at: .milliseconds(1_500), ofSound: false)))
        #expect(sender.alignment.reports == 0)
        sender.alignment.soundReportReceived(try #require(sender.report(at: .milliseconds(1_933), ofSound: true)))
        #expect(sender.alignment.reports == 1)
        let (picture, sound) = sender.send(at: .seconds(2), late: .milliseconds(25))
        #expect((try #require(sound) - picture).magnitude < .microseconds(20))
    }

    /// One arrival that seems too early, as after a step of the clock that stamps it, is forgotten after a minute.
    @Test func aWrongArrivalDoesNotCountForEver() throws {
        var sender = Sender()
        var shifts: [Nanoseconds] = []
        for step in 0..<2_000 {
            let isWrong = step == 50
            let (picture, sound) = sender.send(
                at: .milliseconds(Int64(step) * 40), late: isWrong ? .milliseconds(-800) : .zero)
            shifts.append(try #require(sound) - picture)
        }
        #expect(shifts[49].magnitude < .microseconds(20))
        #expect(shifts[60] < .milliseconds(-700))
        #expect(shifts[1_999].magnitude < .microseconds(20))
    }

    @Test func reportsThatCannotBeAreNotBelieved() throws {
        var sender = Sender()
        let (picture, sound) = sender.send(at: .zero)
        sender.alignment.pictureReportReceived(try #require(sender.report(at: .zero, ofSound: false)))
        sender.alignment.soundReportReceived(try #require(sender.report(at: .zero, ofSound: true, wall: 5)))
        #expect(sender.alignment.reports == 0 && sender.alignment.doubtfulReports == 1)
        #expect((try #require(sound) - picture).magnitude < .microseconds(20))
        let (next, heard) = sender.send(at: .milliseconds(40))
        #expect((try #require(heard) - next).magnitude < .microseconds(20))
    }

    @Test func soundWaitsForPicturesUnlessThereAreNone() {
        var both = MediaAlignment(pictureRate: 90_000, soundRate: 48_000)
        #expect(both.soundTime(of: 48_000, at: Monotonic(nanoseconds: 5)) == nil)
        var alone = MediaAlignment(pictureRate: nil, soundRate: 48_000)
        #expect(alone.soundTime(of: 48_000, at: Monotonic(nanoseconds: 5)) == .seconds(1))
    }

    @Test func anotherSenderBeginsAnew() throws {
        var sender = Sender()
        _ = sender.send(at: .zero)
        sender.alignment.picturesRestart()
        #expect(sender.alignment.soundTime(of: 4_000_001_000, at: sender.start + .seconds(1)) == nil)
        let (picture, sound) = sender.send(at: .seconds(2))
        #expect((try #require(sound) - picture).magnitude < .microseconds(20))
    }
}
