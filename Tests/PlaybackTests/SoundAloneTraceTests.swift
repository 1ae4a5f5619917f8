// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Playback

/// Golden traces of sessions without pictures: they play when they are heard (SVM-65, 73).
struct SoundAloneTraceTests {
    private static let sound = StreamInfo(
        program: 1, pid: 257, codec: "aac", language: nil, isVideo: false, isPlayed: true)
    private static let video = StreamInfo(
        program: 1, pid: 256, codec: "h264", language: nil, isVideo: true, isPlayed: true)

    private func hears(_ trace: Trace, _ streams: [StreamInfo] = [sound]) {
        trace.put(
            .report(.ready(session: trace.controller.lastSession, duration: nil)),
            .report(.streamsChanged(session: trace.controller.lastSession, streams)))
    }

    private func plays(_ trace: Trace) {
        trace.put(.tune(Trace.channel("One")))
        hears(trace)
        trace.put(.soundPlays(session: 1, epoch: 0))
        trace.stands(behind: 0)
        _ = trace.taken
    }

    /// As with pictures, and the slate in place of one.
    @Test func tune() {
        let trace = Trace()
        trace.put(.tune(Trace.channel("One")))
        hears(trace)
        #expect(
            trace.taken == "channelState open One\nbufferingActive One\nOPEN 1 One\nsession 1 ready")
        #expect(trace.controller.current?.awaitsSound == true && !trace.controller.isPlaying)
        trace.put(.soundPlays(session: 1, epoch: 0), .soundPlays(session: 1, epoch: 0))
        #expect(trace.taken == "bufferingInactive One\nSLATE\nchannelState play One\nsession 1 play")
        #expect(trace.controller.isPlaying && trace.controller.current?.awaitsSound == false)
        trace.put(.stop)
        #expect(trace.taken == "channelState stop One\nCLOSE 1\nsession 1 terminate\nchannelState close One\nSLATE")
    }

    /// Sound of a session with pictures says nothing: they are waited for.
    @Test func soundBesidePictures() {
        let trace = Trace()
        trace.put(.tune(Trace.channel("One")))
        hears(trace, [Self.video, Self.sound])
        _ = trace.taken
        trace.put(.soundPlays(session: 1, epoch: 0))
        #expect(trace.taken.isEmpty && !trace.controller.isPlaying)
        trace.put(.firstPicture(session: 1, epoch: 0))
        #expect(trace.taken == "bufferingInactive One\nchannelState play One\nsession 1 play")
    }

    /// Pictures that come later, and those that go, begin nothing anew.
    @Test func picturesComeAndGo() {
        let trace = Trace()
        plays(trace)
        trace.put(.report(.streamsChanged(session: 1, [Self.video, Self.sound])), .firstPicture(session: 1, epoch: 0))
        trace.put(.report(.streamsChanged(session: 1, [Self.sound])), .soundPlays(session: 1, epoch: 0))
        #expect(trace.taken.isEmpty && trace.controller.isPlaying)
    }

    @Test func pauseAndStarvation() {
        let trace = Trace()
        plays(trace)
        trace.put(.pause, .starved(session: 1), .soundPlays(session: 1, epoch: 0), .play)
        #expect(trace.taken == "pause -> 1\nsession 1 pause\nchannelState rewind One\nplay -> 1\nsession 1 play")
        trace.put(.starved(session: 1), .starved(session: 1))
        #expect(trace.taken == "bufferingActive One" && !trace.controller.isPlaying)
        trace.put(.soundPlays(session: 1, epoch: 0))
        #expect(trace.taken == "bufferingInactive One" && trace.controller.isPlaying)
    }

    /// PLAY-10: answered when the new place is heard; of held sound when it is found.
    @Test func seek() {
        let trace = Trace()
        plays(trace)
        trace.seek(.rewind(.seconds(5)))
        trace.put(.soundPlays(session: 1, epoch: 0))
        var found = PlaybackPosition()
        found.behindLive = .milliseconds(4_990)
        trace.put(.report(.positioned(session: 1, epoch: 1, found)))
        #expect(trace.taken == "channelState rewind One\nseek live-5000 epoch 1 -> 1\nsession 1 progress 0...0")
        trace.put(.soundPlays(session: 1, epoch: 1))
        #expect(trace.taken == "answer 1: live-4990")
        trace.put(.pause)
        _ = trace.taken
        trace.stands(behind: 4_990)
        trace.seek(.rewind(.seconds(1)))
        found.behindLive = .milliseconds(6_000)
        trace.put(.report(.positioned(session: 1, epoch: 2, found)))
        #expect(trace.taken == "channelState rewind One\nseek live-5990 epoch 2 -> 1\nanswer 2: live-6000")
    }
}
