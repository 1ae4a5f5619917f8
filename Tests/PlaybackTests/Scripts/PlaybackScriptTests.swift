// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Playback

/// No state of playback is without a way out: after each `play` and `live` pictures and sound come within three seconds,
/// unless the sender is silent or somebody makes the box wait.
@Suite struct PlaybackScriptTests {
    private static let patience = Nanoseconds.seconds(3)

    /// A thousand in the soak.
    @Test(arguments: Effort.batches(40)) func scripts(seeds: ClosedRange<UInt64>) throws {
        for seed in seeds { try run(PlaybackScript(seed: seed &+ Effort.seed), seed: seed &+ Effort.seed) }
    }

    /// `sync.md` F1, as it was found.
    @Test(arguments: [8, 11, 20, 60] as [Int64]) func aPauseLongerThanTheHistory(seconds: Int64) throws {
        let playback = try SimulatedPlayback(seed: 1, history: .seconds(10))
        try playback.pass(.seconds(12))
        playback.put(.pause)
        try playback.pass(.seconds(seconds))
        playback.put(.play)
        let behind = playback.position.behindLive
        try expectGrowth(of: playback, "behind \(behind)")
        let position = playback.position
        // Further back than can be rewound to, nothing is kept for longer than what is read ahead of a picture.
        #expect(position.behindLive <= position.available + .milliseconds(1_600), "\(position)")
        let most = Nanoseconds.seconds(min(seconds, 10))
        #expect((position.behindLive - most).magnitude < .seconds(3), "at the oldest, or where it was: \(position)")
    }

    private func run(_ script: PlaybackScript, seed: UInt64) throws {
        let playback = try SimulatedPlayback(seed: seed, history: script.history)
        try playback.pass(.seconds(2))
        for (number, step) in script.steps.enumerated() {
            try carryOut(step, playback)
            try expectGrowth(of: playback, "seed \(seed), step \(number) of \(script.steps), \(script.history)")
        }
        playback.seek(.live)
        try expectGrowth(of: playback, "seed \(seed), at the end of \(script.steps)")
    }

    /// All that it does is over when it returns.
    private func carryOut(_ step: PlaybackScript.Step, _ playback: SimulatedPlayback) throws {
        switch step {
        case .wait(let span): try playback.pass(span)
        case .pause(let span):
            playback.put(.pause)
            try playback.pass(span)
            playback.put(.play)
        case .hide(let span):
            playback.put(.setVisible(false))
            try playback.pass(span)
            playback.put(.setVisible(true))
        case .rewind(let span): playback.seek(.rewind(span))
        case .live: playback.seek(.live)
        case .putOff(let span):
            playback.command(.putOff(span))
            try playback.pass(span)
        case .steer(let rate, let span):
            playback.command(.steer(rate))
            try playback.pass(span)
            playback.command(.steer(nil))
        case .televisionPauses(let span, let apart):
            playback.put(.pause)
            try playback.pass(span)
            playback.put(.play)
            playback.seek(.shift(apart))
            playback.command(.steer(apart < .zero ? 1_000_000 : -1_000_000))
            try playback.pass(.milliseconds(300))
            playback.command(.steer(nil))
        case .restart: playback.restartEncoder()
        case .silence(let span):
            playback.isSending = false
            try playback.pass(span)
            playback.isSending = true
            // Nobody can go back into the hole.
            playback.seek(.live)
            try playback.pass(playback.historySpan + .seconds(2))
        case .loss(let span):
            playback.lost = 100
            try playback.pass(span)
            playback.lost = 0
            playback.seek(.live)
        case .overload(let span):
            playback.hesitation = .milliseconds(60)
            try playback.pass(span)
            playback.hesitation = .zero
        }
    }

    private func expectGrowth(of playback: SimulatedPlayback, _ comment: Comment) throws {
        let (pictures, sounds) = (playback.pictures, playback.sounds)
        try playback.pass(Self.patience)
        #expect(playback.pictures > pictures + 3, comment)
        #expect(playback.sounds > sounds + 3, comment)
    }
}
