// SPDX-License-Identifier: Apache-2.0
import Buffers
import Sound
import System
import Time

/// An output that takes sound as fast as it comes, does as it is told and ends the loop.
final class ScriptedOutput: SoundOutput {
    enum Act {
        case lose, fail, runDry
        case act(() -> Void)
    }

    let name: String
    let sampleRate: Int
    let period: Int
    private(set) var underruns: Int64 = 0
    private let script: [Int: Act]
    private let stopping: StopFlag
    private let length: Int
    private var written = 0
    private let begin: Monotonic
    private let heard: LatestValue<[Float]>

    /// - Parameters:
    ///   - script: by number of the write, from 1.
    ///   - length: writes until the loop is stopped.
    init(
        name: String = "scripted", sampleRate: Int = 48_000, script: [Int: Act] = [:], length: Int, begin: Monotonic,
        stopping: StopFlag,
        heard: LatestValue<[Float]>
    ) {
        self.name = name
        self.sampleRate = sampleRate
        self.script = script
        self.length = length
        self.begin = begin
        self.stopping = stopping
        self.heard = heard
        period = sampleRate / 100
    }

    func nextAudible() -> Monotonic { begin + .milliseconds(Int64(written) * 10) }

    func write(_ samples: UnsafeBufferPointer<Float>) throws(SoundError) {
        written += 1
        if written >= length { stopping.raise() }
        heard.set(heard.value + samples)
        switch script[written] {
        case .lose: throw .lost(SystemCallError("write", .noDevice))
        case .fail: throw .failed(SystemCallError("write", .noDevice))
        case .runDry: underruns += 1
        case .act(let act): act()
        case nil: break
        }
    }
}
