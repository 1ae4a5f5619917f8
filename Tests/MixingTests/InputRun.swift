// SPDX-License-Identifier: Apache-2.0
import Media
import Time

@testable import Mixing

/// A mixer input fed by a sender and read in periods of 10 ms, as fast as the machine can.
final class InputRun {
    static let period = 480
    var input = MixerInput()
    var sender: Sender
    var listener: ToneListener
    var head: PlaybackClock.State
    /// When the next period is heard.
    var now: Monotonic
    /// Blocks that are lost: by number.
    var lost: Set<Int> = []
    var blockSize = 1_024
    var largestError: Int64 = 0
    var largestCorrection: Int64 = 0
    private(set) var blocks = 0
    private var samples = [Float](repeating: 0, count: 960)

    init(_ sender: Sender, delay: Nanoseconds = .seconds(1)) {
        self.sender = sender
        listener = ToneListener(frequency: sender.frequency)
        head = PlaybackClock.State(delay: delay)
        now = sender.start + delay - .milliseconds(100)
    }

    var isPlaying: Bool { input.isPlaying }
    var counters: InputCounters { input.counters }
    var framesWaiting: Int { input.count }

    func run(periods: Int, feeds: Bool = true) throws {
        for _ in 0..<periods {
            input.trim(at: now, head)
            while feeds, input.wantsMore { try feed() }
            samples.withUnsafeMutableBufferPointer { input.read(into: $0, at: now, head) }
            listener.hear(samples)
            now += .milliseconds(10)
            if input.isPlaying { largestError = max(largestError, abs(input.counters.errorUs)) }
            largestCorrection = max(largestCorrection, abs(input.counters.correctionPPB))
        }
    }

    func feed() throws {
        blocks += 1
        if lost.contains(blocks) { return sender.skip(blockSize) }
        let epoch = head.epoch
        try sender.send(blockSize) { try input.append($0, at: $1, offset: .zero, epoch: epoch) }
        input.trim(at: now, head)
    }
}
