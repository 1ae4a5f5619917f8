// SPDX-License-Identifier: Apache-2.0
import Testing
import Time
import Venue

@testable import Playback

/// SVM-57…60, 83, 84, PLAY-10, C2, C14.
struct SeekTraceTests {
    private func playing(behind: Int64) -> Trace {
        let trace = Trace()
        trace.plays("One")
        if behind > 0 {
            trace.seek(.absolute(.milliseconds(behind)))
            trace.put(.firstPicture(session: 1, epoch: 1))
        }
        trace.stands(behind: behind)
        _ = trace.taken
        return trace
    }

    @Test func rewindAndLive() {
        let trace = playing(behind: 0)
        trace.seek(.absolute(.seconds(20)))
        #expect(trace.taken == "channelState rewind One\nseek live-20000 epoch 1 -> 1")
        trace.stands(behind: 19_960, progress: 5_000)
        trace.put(.report(.positioned(session: 1, epoch: 1, trace.position ?? PlaybackPosition())))
        #expect(trace.taken == "session 1 progress 0...5000")
        trace.put(.firstPicture(session: 1, epoch: 1))
        #expect(trace.taken == "answer 1: live-19960")
        trace.seek(.live)
        trace.put(.firstPicture(session: 1, epoch: 2))
        #expect(trace.taken == "seek live-0 epoch 2 -> 1\nchannelState live One\nanswer 2: live-0")
        // There already.
        trace.stands(behind: 0)
        trace.seek(.live)
        #expect(trace.taken == "answer 3: live-0")
    }

    /// A session at live may be behind it, by what its delay has grown by rate: who measures it there can move it.
    @Test func aShiftLeadsToLive() {
        let trace = playing(behind: 0)
        trace.stands(behind: 80)
        trace.seek(.shift(.milliseconds(80)))
        #expect(trace.taken == "seek by 80 epoch 1 -> 1")
        trace.put(.firstPicture(session: 1, epoch: 1))
        _ = trace.taken
        trace.stands(behind: 0)
        trace.seek(.shift(.milliseconds(80)))
        #expect(trace.taken == "answer 2: live-0")
    }

    /// What waits for another clock has left live: the way back is a seek. While the session seeks, is paused or has no
    /// picture, it is not put off.
    @Test func isPutOffWhileItPlays() {
        let trace = playing(behind: 0)
        trace.put(.putOff(.milliseconds(700)))
        trace.put(.putOff(.zero))
        #expect(trace.taken == "put off 700 -> 1")
        trace.stands(behind: 700)
        trace.seek(.live)
        trace.put(.putOff(.milliseconds(100)))
        #expect(trace.taken == "seek live-0 epoch 1 -> 1")
        trace.put(.firstPicture(session: 1, epoch: 1))
        _ = trace.taken
        trace.put(.pause)
        _ = trace.taken
        trace.put(.putOff(.milliseconds(100)))
        #expect(trace.taken.isEmpty)
        let opening = Trace()
        opening.put(.tune(Trace.channel("One")))
        _ = opening.taken
        opening.put(.putOff(.milliseconds(100)))
        #expect(opening.taken.isEmpty)
    }

    /// `sync.md` F2: a session that starves may wait for what is still to come.
    @Test func isPutOffWhileItStarves() {
        let trace = playing(behind: 0)
        trace.put(.starved(session: 1))
        _ = trace.taken
        trace.put(.putOff(.milliseconds(700)))
        #expect(trace.taken == "put off 700 -> 1")
    }

    /// Nothing is told of a place before there is a picture.
    @Test func seekBeforeThePicture() {
        let trace = Trace()
        trace.put(.tune(Trace.channel("One")))
        _ = trace.taken
        trace.seek(.live)
        trace.seek(.rewind(.seconds(20)))
        #expect(trace.taken == "answer 1: live-0\nanswer 2: live-0")
    }

    /// SVM-60: event for event.
    @Test(arguments: [0, 20_000] as [Int64])
    func playLiveIsSeekAbsoluteZero(behind: Int64) {
        let traces = [SeekRequest.live, .absolute(.zero)].map { request in
            let trace = playing(behind: behind)
            trace.seek(request)
            trace.put(.firstPicture(session: 1, epoch: 2))
            return trace.taken
        }
        #expect(traces[0] == traces[1] && traces[0].contains("channelState live One"))
    }

    /// From where, what, to where behind live; 30 s are there.
    @Test(
        arguments: [
            (0, .absolute(.seconds(20)), 20_000),
            (10_000, .absolute(.seconds(20)), 20_000),
            (10_000, .absolute(.seconds(-5)), 0),
            (0, .absolute(.seconds(100)), 30_000),
            (0, .relative(.seconds(-20)), 20_000),
            (25_000, .relative(.seconds(-20)), 30_000),
            (25_000, .relative(.seconds(20)), 5_000),
            (10_000, .relative(.seconds(20)), 0),
            (5_000, .rewind(.seconds(20)), 25_000),
            (5_000, .rewind(.seconds(-20)), 25_000),
            (25_000, .rewind(.seconds(-20)), 30_000),
        ] as [(Int64, SeekRequest, Int64)])
    func signsAndClamps(from: Int64, request: SeekRequest, to: Int64) {
        let trace = playing(behind: from)
        trace.seek(request)
        let lines = trace.taken
        #expect(lines.contains("seek live-\(to) epoch "), "\(lines)")
        #expect(lines.contains("channelState rewind One") == (to > from))
    }

    @Test func seekDuringASeek() {
        let trace = playing(behind: 0)
        trace.seek(.rewind(.seconds(5)))
        // The second goes back from where the first leads to.
        trace.seek(.rewind(.seconds(5)))
        trace.put(.firstPicture(session: 1, epoch: 1), .firstPicture(session: 1, epoch: 2))
        #expect(
            trace.taken == """
                channelState rewind One
                seek live-5000 epoch 1 -> 1
                answer 1: interrupted
                channelState rewind One
                seek live-10000 epoch 2 -> 1
                answer 2: live-10000
                """)
    }

    /// Live told by an interrupted seek would be a lie.
    @Test func liveInterrupted() {
        let trace = playing(behind: 10_000)
        trace.seek(.live)
        trace.seek(.absolute(.seconds(3)))
        trace.put(.firstPicture(session: 1, epoch: 3))
        #expect(!trace.taken.contains("channelState live"))
    }

    @Test func everySeekIsAnswered() {
        let trace = playing(behind: 0)
        trace.seek(.absolute(.seconds(5)))
        trace.pass(.seconds(4))
        trace.put(.tick)
        #expect(trace.taken.hasSuffix("epoch 1 -> 1"))
        trace.pass(.seconds(1))
        trace.put(.tick)
        #expect(trace.taken.contains("answer 1: timedOut"))
        trace.put(.firstPicture(session: 1, epoch: 1))
        #expect(trace.taken.isEmpty)
        trace.seek(.absolute(.seconds(6)))
        trace.put(.stop)
        #expect(trace.taken.contains("answer 2: sessionEnded\nchannelState stop One"))
        trace.seek(.live)
        #expect(trace.taken == "answer 3: noSession")
    }

    /// A paused picture moves and stays paused.
    @Test func seekWhilePaused() {
        let trace = playing(behind: 0)
        trace.put(.pause)
        trace.stands(behind: 4_000)
        _ = trace.taken
        trace.seek(.live)
        trace.put(.firstPicture(session: 1, epoch: 1))
        #expect(trace.taken == "seek live-0 epoch 1 -> 1\nchannelState live One\nanswer 1: live-0")
        #expect(!trace.controller.isPlaying)
        // Live goes on without it.
        trace.stands(behind: 2_000)
        trace.seek(.live)
        #expect(trace.taken == "seek live-0 epoch 2 -> 1")
    }

    @Test(
        arguments: [
            (.absolute(.seconds(90)), "seek 60000 epoch 1 -> 1"),
            (.absolute(.seconds(-1)), "channelState rewind /a.mp4\nseek 0 epoch 1 -> 1"),
            (.relative(.seconds(-4)), "channelState rewind /a.mp4\nseek 6000 epoch 1 -> 1"),
            (.relative(.seconds(4)), "seek 14000 epoch 1 -> 1"),
            (.rewind(.seconds(4)), "channelState rewind /a.mp4\nseek 6000 epoch 1 -> 1"),
        ] as [(SeekRequest, String)])
    func inAFile(request: SeekRequest, expected: String) {
        let trace = Trace { $0.autoPlay = true }
        trace.put(.setVideos([Trace.file("/a.mp4")]), .firstPicture(session: 1, epoch: 0))
        trace.stands(at: 10_000)
        _ = trace.taken
        trace.seek(request)
        #expect(trace.taken == expected)
    }
}
