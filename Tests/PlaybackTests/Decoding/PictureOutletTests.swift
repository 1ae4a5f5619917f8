// SPDX-License-Identifier: Apache-2.0
import Media
import Testing
import Time
import Timelines

@testable import Playback

/// `sync.md` F1: the pictures that are decoded only because a later one refers to them.
@Suite struct PictureOutletTests {
    private let bench: DecodeBench
    private let outlet: PictureOutlet

    init() throws {
        bench = try DecodeBench(FakeBench([]))
        let (clock, pictures) = (bench.devices.clock, bench.session.decoding.pictures)
        outlet = PictureOutlet(bench.session, pictures) { clock.now }
        outlet.begin(
            CodedPictures.Entry(
                unit: AccessUnit(pts: 0, dts: 0, isRandomAccess: true, isDamaged: false, recovery: nil),
                correlation: StreamCorrelation(offset: .zero), codec: .h264, stream: 1, startsAnew: true,
                generation: pictures.generation, beginning: .catchingUp, epoch: 0, point: 1))
    }

    /// How long pictures that lag by so much behind the position are passed over; nil: for ten seconds at least.
    private func passed(lag: (Monotonic) -> Monotonic) -> Nanoseconds? {
        let clock = bench.devices.clock
        let began = clock.now
        while clock.now - began < .seconds(10) {
            let verdict = outlet.pictureDecoded(at: lag(clock.now), .milliseconds(40), isDamaged: false)
            if case .due(isImmediate: true, _) = verdict { return clock.now - began }
            clock.now = clock.now + .milliseconds(40)
        }
        return nil
    }

    /// A decoder that does not come nearer to what is due would show nothing for ever.
    @Test func theyArePassedOverForTwoSeconds() throws {
        let span = try #require(passed { $0 - .seconds(5) })
        #expect((.seconds(2) ... .milliseconds(2_100)).contains(span))
    }

    /// The position of a paused session stands still: its picture comes, however long that takes.
    @Test func aPausedSessionWaitsForItsPicture() {
        let place = bench.devices.clock.now
        bench.pause()
        #expect(passed { _ in place - .seconds(5) } == nil)
        #expect(passed { _ in place } == .zero)
    }
}
