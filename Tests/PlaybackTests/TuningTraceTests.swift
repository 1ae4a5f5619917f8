// SPDX-License-Identifier: Apache-2.0
import Testing
import Time
import Venue

@testable import Playback

/// Golden traces: everything that a controller does, line by line.
struct TuningTraceTests {
    /// SVM-78…82: open first, play at the first presented picture, once.
    @Test func tune() {
        let trace = Trace()
        trace.put(.tune(Trace.channel("One")))
        #expect(trace.taken == "channelState open One\nbufferingActive One\nOPEN 1 One")
        #expect(trace.controller.isOpen && !trace.controller.isPlaying)
        trace.put(.report(.ready(session: 1, duration: nil)), .firstPicture(session: 1, epoch: 0))
        #expect(trace.taken == "session 1 ready\nbufferingInactive One\nchannelState play One\nsession 1 play")
        trace.put(.firstPicture(session: 1, epoch: 0))
        #expect(trace.taken.isEmpty && trace.controller.isPlaying)
    }

    /// A channel that was paused is behind live, and its state says so.
    @Test func playsOnBehindLive() {
        let trace = Trace()
        trace.plays("One")
        trace.put(.pause)
        _ = trace.taken
        trace.put(.play)
        #expect(trace.taken == "channelState rewind One\nplay -> 1\nsession 1 play")
        trace.put(.pause, .play)
        #expect(!trace.taken.contains("channelState"))
    }

    /// SVM-56, 85, 86: another channel closes the old one with the full sequence, and close is its last.
    @Test func retune() {
        let trace = Trace()
        trace.plays("One")
        trace.put(.tune(Trace.channel("Two")))
        #expect(
            trace.taken == """
                channelState stop One
                CLOSE 1
                session 1 terminate
                channelState close One
                channelState open Two
                bufferingActive Two
                OPEN 2 Two
                """)
        // What was on its way from the closed session says nothing of the new one (PLAY-13).
        trace.put(
            .firstPicture(session: 1, epoch: 0), .report(.ended(session: 1)), .openFailed(session: 1, why: "late"),
            .starved(session: 1), .report(.streamUnsupported(session: 1, what: "x")))
        #expect(trace.taken.isEmpty)
        #expect(trace.controller.accepts(session: 2) && !trace.controller.accepts(session: 1))
    }

    /// Buffering ends before its session does: strictly in turn (SVM-79).
    @Test func retuneWhileBuffering() {
        let trace = Trace()
        trace.put(.tune(Trace.channel("One")), .tune(Trace.channel("Two")))
        #expect(
            trace.taken == """
                channelState open One
                bufferingActive One
                OPEN 1 One
                bufferingInactive One
                channelState stop One
                CLOSE 1
                session 1 terminate
                channelState close One
                channelState open Two
                bufferingActive Two
                OPEN 2 Two
                """)
    }

    @Test func theSameChannelAgain() {
        let trace = Trace()
        trace.plays("One")
        trace.put(.tune(Trace.channel("One")))
        #expect(trace.taken.isEmpty)
    }

    private static let follows = """
        channelState stop One
        CLOSE 1
        session 1 terminate
        channelState close One
        channelState open One
        bufferingActive One
        OPEN 2 One
        """

    /// Announced elsewhere, it is received there; by another name alone, it plays on.
    @Test func channelMoves() {
        let trace = Trace()
        trace.plays("One")
        var channel = Trace.channel("One")
        channel.channelText = "news"
        trace.put(.channelChanged(channel))
        #expect(trace.taken.isEmpty)
        channel.transport.port = 6_000
        trace.put(.channelChanged(channel), .channelChanged(channel))
        #expect(trace.taken == Self.follows)
    }

    /// A second head-end that sends the same is heard of, and of the first no more: what is heard goes on. Sources that are
    /// not received yet are when it falls silent.
    @Test func sourcesComeAndGo() {
        func channel(_ sources: Int...) -> Channel {
            var channel = Trace.channel("One")
            channel.transport.source = sources.first.map { "10.0.0.\($0)" }
            channel.transport.furtherSources = sources.dropFirst().map { "10.0.0.\($0)" }
            return channel
        }
        let trace = Trace()
        trace.plays(channel(2))
        trace.put(.channelChanged(channel(2, 3)), .channelChanged(channel(2)), .starved(session: 1), .fed(session: 1))
        #expect(trace.taken == "bufferingActive One\nbufferingInactive One", "the second is gone again")
        trace.put(.channelChanged(channel(2, 3)), .channelChanged(channel(3, 2)))
        #expect(trace.taken.isEmpty)
        trace.put(.starved(session: 1))
        #expect(trace.taken == Self.follows)
        trace.put(.report(.ready(session: 2, duration: nil)), .firstPicture(session: 2, epoch: 0))
        _ = trace.taken
        trace.put(.channelChanged(channel(2)), .channelChanged(channel(3)), .channelChanged(channel(2, 3)))
        #expect(trace.taken.isEmpty, "all of them are received")
        trace.put(.channelChanged(channel(4)))
        #expect(trace.taken.hasSuffix("OPEN 3 One"), "another source altogether")
        trace.put(.channelChanged(channel(4, 5)))
        #expect(trace.taken.hasSuffix("OPEN 4 One"), "nothing plays that could go on")
    }

    /// VLC's, and that of a second head-end: what is seen goes on, and what is held stays so.
    @Test func anotherTakesThePlace() {
        let trace = Trace()
        trace.plays("One")
        trace.put(.pause)
        _ = trace.taken
        var other = Trace.channel("One")
        other.id = .init("another")
        trace.offers["One"] = .live(other)
        trace.put(.channelRemoved(.init("One")))
        #expect(trace.taken == Self.follows + "\npause -> 2")
        trace.put(.channelRemoved(.init("One")))
        #expect(trace.taken.isEmpty)
    }

    @Test func stop() {
        let trace = Trace()
        trace.plays("One")
        trace.put(.stop, .stop)
        #expect(
            trace.taken == "channelState stop One\nCLOSE 1\nsession 1 terminate\nchannelState close One\nSLATE")
        #expect(trace.controller.showsSlate)
    }

    /// PLAY-06: idempotent; without a session nothing.
    @Test func pauseAndResume() {
        let trace = Trace()
        trace.put(.pause, .play)
        #expect(trace.taken.isEmpty)
        trace.plays("One")
        trace.put(.play, .pause, .pause)
        #expect(trace.taken == "pause -> 1\nsession 1 pause")
        #expect(!trace.controller.isPlaying)
        trace.put(.play, .play)
        #expect(trace.taken == "channelState rewind One\nplay -> 1\nsession 1 play")
        #expect(trace.controller.isPlaying)
    }

    @Test func starvation() {
        let trace = Trace()
        trace.put(.tune(Trace.channel("One")), .starved(session: 1), .fed(session: 1))
        _ = trace.taken
        trace.put(.firstPicture(session: 1, epoch: 0))
        _ = trace.taken
        trace.put(.starved(session: 1), .starved(session: 1), .fed(session: 1), .fed(session: 1))
        #expect(trace.taken == "bufferingActive One\nbufferingInactive One")
        // A paused picture starves nobody.
        trace.put(.starved(session: 1), .pause, .starved(session: 1))
        #expect(trace.taken == "bufferingActive One\npause -> 1\nbufferingInactive One\nsession 1 pause")
    }

    @Test func streams() {
        let trace = Trace { $0.audioLanguage = "deu" }
        trace.put(.tune(Trace.channel("One")))
        #expect(trace.controller.current?.choice == StreamChoice(audioLanguage: "deu"))
        _ = trace.taken
        trace.put(
            .report(.streamUnsupported(session: 1, what: "vvc on PID 300")),
            .report(.streamUnsupported(session: 1, what: "vvc on PID 300")),
            .selectAudio(language: "eng"), .selectAudio(language: "eng"), .selectProgram(2))
        #expect(
            trace.taken
                == "streamUnsupported 1 vvc on PID 300\nselect default eng -> 1\nselect 2 eng -> 1")
        trace.put(.tune(Trace.channel("Two")))
        #expect(trace.controller.current?.choice == StreamChoice(audioLanguage: "eng"))
    }

    /// Another program of the channel is another session, which a change of the channel's transport does not lose.
    @Test func programs() {
        let trace = Trace()
        trace.plays("One")
        trace.put(.tune(Trace.channel("One"), program: .name("Zwei")))
        #expect(trace.taken.hasSuffix("OPEN 2 One"))
        #expect(trace.controller.current?.choice.program == .name("Zwei"))
        trace.put(.tune(Trace.channel("One"), program: .name("Zwei")))
        #expect(trace.taken.isEmpty)
        let listed = [ListedProgram(number: 1, name: "Eins"), ListedProgram(number: 2, name: "Zwei")]
        trace.put(.report(.programsChanged(session: 1, [])), .report(.programsChanged(session: 2, listed)))
        #expect(trace.taken == "programs 2 1 Eins, 2 Zwei" && trace.controller.current?.programs == listed)
        var moved = Trace.channel("One")
        moved.transport.port = 6_000
        trace.put(.channelChanged(moved))
        #expect(trace.controller.current?.id == 3 && trace.controller.current?.choice.program == .name("Zwei"))
        trace.put(.tune(moved))
        #expect(trace.controller.current?.choice.program == nil)
    }

    /// SVM-64…66, 74, 75.
    @Test func hidden() {
        let trace = Trace()
        trace.plays("One")
        trace.put(.setVisible(false), .setVisible(false))
        #expect(trace.taken == "hidden -> 1\npause -> 1\nsession 1 pause")
        #expect(!trace.controller.isPlaying)
        // Allowed while hidden: at once; and back at live.
        trace.put(.setBackgroundPlayback(true))
        #expect(trace.taken == "seek live-0 epoch 1 -> 1\nplay -> 1\nsession 1 play")
        #expect(trace.controller.isPlaying)
        trace.put(.setVisible(true))
        #expect(trace.taken == "visible -> 1")
        trace.put(.setVisible(false))
        #expect(trace.taken == "hidden -> 1")
    }

    /// Whoever had paused finds it paused.
    @Test func hiddenWhilePaused() {
        let trace = Trace()
        trace.plays("One")
        trace.put(.pause)
        _ = trace.taken
        trace.put(.setVisible(false), .play, .setVisible(true))
        #expect(trace.taken == "hidden -> 1\nchannelState rewind One\nvisible -> 1\nplay -> 1\nsession 1 play")
    }

    /// SVM-65: sound alone plays without a picture.
    @Test func tunedWhileHidden() {
        let trace = Trace()
        trace.put(.setVisible(false), .setBackgroundPlayback(true), .tune(Trace.channel("One")))
        trace.put(.report(.ready(session: 1, duration: nil)))
        #expect(
            trace.taken == """
                channelState open One
                bufferingActive One
                OPEN 1 One
                hidden -> 1
                session 1 ready
                bufferingInactive One
                channelState play One
                session 1 play
                """)
    }
}
