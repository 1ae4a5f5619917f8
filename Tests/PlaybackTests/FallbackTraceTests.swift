// SPDX-License-Identifier: Apache-2.0
import Programming
import Testing
import Venue

@testable import Playback

/// SVM-87, 88: what comes after a channel that is withdrawn, and after whatever else cannot go on. Never black.
struct FallbackTraceTests {
    private static let left = """
        currentChannelInvalid One
        channelState stop One
        CLOSE 1
        session 1 terminate
        channelState close One
        """
    private static let openDefault = "\nchannelState open Default\nbufferingActive Default\nOPEN 2 Default"

    private func withdrawn(_ fallback: PlaybackPolicy.Fallback, _ change: (Trace) -> Void = { _ in }) -> Trace {
        let trace = Trace { $0.fallback = fallback }
        trace.plays("One")
        change(trace)
        trace.put(.channelRemoved(.init("Two")), .channelRemoved(.init("One")))
        return trace
    }

    @Test func slate() {
        let trace = withdrawn(.slate)
        #expect(trace.taken == Self.left + "\nSLATE")
        #expect(trace.controller.showsSlate)
    }

    @Test func hold() {
        let trace = withdrawn(.hold)
        #expect(trace.taken == Self.left)
        #expect(!trace.controller.isOpen && !trace.controller.showsSlate)
        trace.put(.stop)
        #expect(trace.taken == "SLATE")
    }

    /// Nothing to hold.
    @Test func holdWithoutAPicture() {
        let trace = Trace { $0.fallback = .hold }
        trace.put(.tune(Trace.channel("One")))
        _ = trace.taken
        trace.put(.openFailed(session: 1, why: "no such interface"))
        #expect(
            trace.taken == """
                session 1 fail openFailed no such interface
                bufferingInactive One
                channelState stop One
                CLOSE 1
                session 1 terminate
                channelState close One
                SLATE
                """)
    }

    @Test func defaultChannel() {
        let trace = withdrawn(.defaultChannel("Default"))
        #expect(trace.taken == Self.left + Self.openDefault)
        // The default channel is withdrawn itself.
        trace.offers["Default"] = nil
        trace.put(.firstPicture(session: 2, epoch: 0), .channelRemoved(.init("Default")))
        #expect(trace.taken.hasSuffix("\nchannelState close Default\nSLATE"))
        // And is there again.
        trace.put(.channelAdded(Trace.channel("Two")), .channelAdded(Trace.channel("Default")))
        #expect(trace.taken == "channelState open Default\nbufferingActive Default\nOPEN 3 Default")
    }

    @Test func defaultChannelIsMissing() {
        let trace = withdrawn(.defaultChannel("Nowhere"))
        #expect(trace.taken == Self.left + "\nSLATE")
        trace.put(.stop, .channelAdded(Trace.channel("Nowhere")))
        #expect(trace.taken.isEmpty)
    }

    /// It cannot be joined either: the slate, and another try each ten seconds.
    @Test func defaultChannelFails() {
        let trace = withdrawn(.defaultChannel("Default"))
        _ = trace.taken
        trace.put(.openFailed(session: 2, why: "no memory"))
        #expect(trace.taken.hasSuffix("\nSLATE"))
        trace.pass(.seconds(9))
        trace.put(.tick)
        #expect(trace.taken.isEmpty)
        trace.pass(.seconds(1))
        trace.put(.tick, .tick)
        #expect(trace.taken == "channelState open Default\nbufferingActive Default\nOPEN 3 Default")
        trace.put(.openFailed(session: 3, why: "no memory"), .tick)
        #expect(trace.taken.hasSuffix("\nSLATE"))
        trace.put(.stop)
        trace.pass(.seconds(60))
        trace.put(.tick)
        #expect(trace.taken.isEmpty)
    }

    @Test func playlist() {
        let trace = withdrawn(.playlist(Playlist("Loop", [Trace.file("/a.mp4"), Trace.file("/b.mp4")])))
        #expect(
            trace.taken == Self.left + "\nchannelState open /a.mp4\nbufferingActive /a.mp4\nOPEN 2 /a.mp4")
        trace.put(.firstPicture(session: 2, epoch: 0))
        _ = trace.taken
        // It goes on by itself, and from its beginning after its end.
        trace.put(.report(.ended(session: 2)), .firstPicture(session: 3, epoch: 0), .report(.ended(session: 3)))
        #expect(trace.taken.hasSuffix("\nchannelState open /a.mp4\nbufferingActive /a.mp4\nOPEN 4 /a.mp4"))
        // Nothing of it can be played any more.
        trace.put(.openFailed(session: 4, why: "gone"), .openFailed(session: 5, why: "gone"))
        #expect(trace.taken.hasSuffix("\nchannelState close /b.mp4\nSLATE"))
    }

    @Test func playlistOfNothing() {
        let trace = withdrawn(.playlist(Playlist("Gone", [Trace.file("/x.mp4")])))
        #expect(trace.taken == Self.left + "\nsession 2 fail noSourceFound /x.mp4\nSLATE")
    }

    @Test func aFailureWhilePlaying() {
        let trace = Trace { $0.fallback = .defaultChannel("Default") }
        trace.plays("One")
        trace.put(.report(.failed(session: 1, why: "no decoder for h264")))
        #expect(
            trace.taken == """
                session 1 fail playbackFailed no decoder for h264
                channelState stop One
                CLOSE 1
                session 1 terminate
                channelState close One
                """ + Self.openDefault)
    }
}
