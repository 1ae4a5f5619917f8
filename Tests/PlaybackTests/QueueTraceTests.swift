// SPDX-License-Identifier: Apache-2.0
import Programming
import Testing
import Time
import Venue

@testable import Playback

/// PLAY-05…09, 13…17, 21.
struct QueueTraceTests {
    private static let live = Video("Two", sources: [Source(.multicast, "Two")])

    @Test func autoAdvance() {
        let trace = Trace {
            $0.autoAdvance = true
            $0.autoPlay = true
        }
        trace.put(.setVideos([Trace.file("/a.mp4"), Self.live]))
        trace.put(.report(.ready(session: 1, duration: .seconds(60))), .firstPicture(session: 1, epoch: 0))
        trace.put(.report(.ended(session: 1)), .report(.ended(session: 1)))
        #expect(
            trace.taken == """
                channelState open /a.mp4
                bufferingActive /a.mp4
                OPEN 1 /a.mp4
                session 1 ready
                session 1 duration 60000
                bufferingInactive /a.mp4
                channelState play /a.mp4
                session 1 play
                session 1 end
                channelState stop /a.mp4
                CLOSE 1
                session 1 terminate
                channelState close /a.mp4
                channelState open Two
                bufferingActive Two
                OPEN 2 Two
                """)
    }

    /// A channel that plays as an item of a playlist leaves it when it is tuned: what would have followed does not.
    @Test func tuningTheItemThatPlaysLeavesThePlaylist() {
        let trace = Trace { $0.autoAdvance = true }
        trace.put(.setVideos([Self.live, Trace.file("/a.mp4")]))
        trace.put(.firstPicture(session: 1, epoch: 0))
        _ = trace.taken
        trace.put(.tune(Trace.channel("Two")))
        #expect(trace.taken == "play -> 1\nchannelState play Two\nsession 1 play")
        #expect(!trace.controller.hasNext)
        trace.put(.tune(Trace.channel("Two")))
        #expect(trace.taken.isEmpty)
    }

    /// The end of the queue: as the fall-back says.
    @Test func theLastEnds() {
        let trace = Trace { $0.autoPlay = true }
        trace.put(.setVideos([Trace.file("/a.mp4")]), .firstPicture(session: 1, epoch: 0))
        _ = trace.taken
        trace.put(.report(.ended(session: 1)))
        #expect(
            trace.taken == """
                session 1 end
                channelState stop /a.mp4
                CLOSE 1
                session 1 terminate
                channelState close /a.mp4
                SLATE
                """)
    }

    /// Defaults of the reference: nothing plays and nothing follows by itself.
    @Test func byHand() {
        let trace = Trace()
        trace.put(.setVideos([Trace.file("/a.mp4"), Trace.file("/a.mp4")]))
        #expect(trace.taken == "channelState open /a.mp4\nbufferingActive /a.mp4\nOPEN 1 /a.mp4\npause -> 1")
        trace.put(.firstPicture(session: 1, epoch: 0))
        #expect(trace.taken == "session 1 ready\nbufferingInactive /a.mp4")
        trace.put(.play)
        #expect(trace.taken == "play -> 1\nchannelState play /a.mp4\nsession 1 play")
        trace.put(.report(.ended(session: 1)))
        #expect(trace.taken == "session 1 end")
        #expect(trace.controller.isOpen && !trace.controller.isPlaying && trace.controller.hasNext)
        // PLAY-14: the same video enqueued twice is two sessions.
        trace.put(.advanceToNext)
        #expect(trace.taken.hasSuffix("OPEN 2 /a.mp4\npause -> 2"))
        trace.put(.advanceToNext)
        #expect(trace.taken.isEmpty)
    }

    @Test func playBeforeThePicture() {
        let trace = Trace()
        trace.put(.setVideos([Trace.file("/a.mp4")]))
        _ = trace.taken
        trace.put(.play, .firstPicture(session: 1, epoch: 0))
        #expect(
            trace.taken == """
                play -> 1
                session 1 ready
                bufferingInactive /a.mp4
                channelState play /a.mp4
                session 1 play
                """)
    }

    @Test func noSourceFoundAdvances() {
        let trace = Trace { $0.autoPlay = true }
        trace.put(.setVideos([Trace.file("/x.mp4"), Video("Empty", sources: []), Trace.file("/b.mp4")]))
        #expect(
            trace.taken == """
                session 1 fail noSourceFound /x.mp4
                session 2 fail noSourceFound Empty
                channelState open /b.mp4
                bufferingActive /b.mp4
                OPEN 3 /b.mp4
                """)
        trace.put(.setVideos([Trace.file("/x.mp4")]))
        #expect(trace.taken.hasPrefix("session 4 fail noSourceFound /x.mp4\n"))
        #expect(trace.controller.showsSlate)
    }

    @Test func anEmptyQueueStops() {
        let trace = Trace()
        trace.plays("One")
        trace.put(.setVideos([]))
        #expect(trace.taken.hasSuffix("channelState close One\nSLATE"))
    }

    /// A failed one is passed by when the queue goes on by itself.
    @Test func aFailureAdvances() {
        let trace = Trace {
            $0.autoAdvance = true
            $0.autoPlay = true
        }
        trace.put(.setVideos([Trace.file("/a.mp4"), Trace.file("/b.mp4")]))
        _ = trace.taken
        trace.put(.openFailed(session: 1, why: "no such file"))
        #expect(
            trace.taken.hasSuffix(
                "channelState close /a.mp4\nchannelState open /b.mp4\nbufferingActive /b.mp4\nOPEN 2 /b.mp4"))
    }

    @Test func policiesChoose() {
        let sources = [
            Source(.file, "/a.mp4"), Source(.mp4, "http://x/a.mp4"), Source(.hls, "http://x/a.m3u8"),
        ]
        #expect(SourcePolicy.reference.choose(sources)?.delivery == .hls)
        #expect(SourcePolicy.reference.choose(Array(sources.prefix(2)))?.delivery == .mp4)
        #expect(SourcePolicy.reference.choose(Array(sources.prefix(1))) == nil)
        // The first that can be played, not the first.
        let trace = Trace()
        trace.put(.setVideos([Video("A", sources: sources.reversed())]))
        #expect(trace.taken.contains("OPEN 1 /a.mp4"))
    }

    /// PLAY-20: the order of deliveries decides, then that of the sources; others are never played.
    @Test func deliveriesInOrder() {
        let sources = [
            Source(.multicast, "One"), Source(.file, "/a.mp4"), Source(.multicast, "Two"), Source(.mp4, "/b.mp4"),
        ]
        #expect(SourcePolicy.ordered([.rtp, .mp4, .file]).choose(sources) == sources[3])
        #expect(SourcePolicy.ordered([.multicast]).choose(sources) == sources[0])
        #expect(SourcePolicy.ordered([.hls, .rtp]).choose(sources) == nil)
        let trace = Trace { $0.sources = .ordered([.file, .multicast]) }
        trace.put(.setVideos([Video("A", sources: sources)]))
        #expect(trace.taken.contains("OPEN 1 /a.mp4"))
        #expect(trace.controller.current?.origin == sources[1])
    }

    /// PLAY-21: by the policy of the reference a video without HLS and MP4 has no source, unless its author named it.
    @Test func theReferencePlaysNoOtherDelivery() {
        let trace = Trace { $0.sources = .reference }
        let named = Video("B", sources: [Source(.file, "/b.mp4")], namesSource: true)
        trace.put(.setVideos([Trace.file("/a.mp4"), named]))
        #expect(trace.taken.hasPrefix("session 1 fail noSourceFound /a.mp4\nchannelState open B\n"))
        trace.put(.tune(Trace.channel("One")))
        #expect(trace.taken.contains("OPEN 3 One"), "a channel that is tuned is no choice")
    }

    /// PLAY-16, 17: previous < t <= current, grouped, also over a seek.
    @Test func progressAndCuePoints() {
        let trace = Trace { $0.autoPlay = true }
        let points = CuePointCollection([0, 1, 2, 30, 40].map { CuePoint(at: .seconds($0), kind: "c\($0)") })
        trace.put(.setVideos([Trace.file("/a.mp4").updating { $0.cuePoints = points }]), .tick)
        trace.put(.firstPicture(session: 1, epoch: 0))
        _ = trace.taken
        for progress in [0, 900, 900, 2_000] as [Int64] {
            trace.stands(at: progress)
            trace.put(.tick)
        }
        #expect(
            trace.taken == """
                session 1 duration 60000
                session 1 progress 0...0
                session 1 cuePoints 0...0 c0
                session 1 progress 0...900
                session 1 progress 900...2000
                session 1 cuePoints 900...2000 c1 c2
                """)
        trace.seek(.absolute(.seconds(40)))
        trace.put(.tick)
        trace.stands(at: 40_000)
        trace.put(.report(.positioned(session: 1, epoch: 1, trace.position ?? PlaybackPosition())))
        trace.put(.firstPicture(session: 1, epoch: 1))
        #expect(
            trace.taken == """
                seek 40000 epoch 1 -> 1
                session 1 progress 2000...40000
                session 1 cuePoints 2000...40000 c30 c40
                answer 1: 40000
                """)
    }
}
