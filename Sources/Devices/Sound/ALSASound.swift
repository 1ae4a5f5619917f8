// SPDX-License-Identifier: Apache-2.0
import Glibc
import System
import Time

/// A sound card. Played from a buffer of about 50 ms in periods of about 10; whatever stops it is repaired or thrown.
public final class ALSASound: SoundOutput {
    public var sampleRate: Int { pcm.sampleRate }
    public var period: Int { pcm.period }
    public private(set) var underruns: Int64 = 0
    private let clock: any PacingClock
    private let pcm: PCM
    /// As many frames as fit into the device's buffer, in its own format.
    private let converted: UnsafeMutableRawBufferPointer

    /// A device that has taken nothing for as long is lost.
    private static let patienceMilliseconds: CInt = 1_000

    /// - Parameter device: a name that libasound knows: `hw:0,3`, `default`.
    /// - Throws: `.lost` when it is not there or is busy, `.unsupported` when it does not play stereo.
    public init(device: String, clock: any PacingClock = SystemPacingClock()) throws(SoundError) {
        let pcm = try PCM(opening: device)
        self.clock = clock
        converted = .allocate(byteCount: pcm.buffer * 2 * pcm.format.octets, alignment: 64)
        self.pcm = pcm
        try restart()
    }

    deinit { converted.deallocate() }

    public func nextAudible() -> Monotonic {
        let delay = Int64(pcm.delay)
        return clock.now() + TickRate(Int64(pcm.sampleRate)).nanoseconds(delay)
    }

    public func write(_ samples: UnsafeBufferPointer<Float>) throws(SoundError) {
        var rest = samples
        while !rest.isEmpty {
            let count = min(rest.count, pcm.buffer * 2)
            convert(UnsafeBufferPointer(rebasing: rest[..<count]))
            try write(frames: count / 2)
            rest = UnsafeBufferPointer(rebasing: rest[count...])
        }
    }

    /// Plays silence in all of the buffer but a period, so that the delay is the usual one from the first frame on.
    private func restart() throws(SoundError) {
        try pcm.prepare()
        converted.initializeMemory(as: UInt8.self, repeating: 0)
        var rest = pcm.buffer - pcm.period
        guard let base = converted.baseAddress else { return }
        while rest > 0, case .frames(let count) = try pcm.write(base, frames: rest), count > 0 { rest -= count }
        try pcm.start()
    }

    private func write(frames: Int) throws(SoundError) {
        guard let base = converted.baseAddress else { return }
        let frameOctets = 2 * pcm.format.octets
        var done = 0
        while done < frames {
            switch try pcm.write(base + done * frameOctets, frames: frames - done) {
            case .frames(let count): done += count
            case .full:
                guard pcm.waitForRoom(milliseconds: Self.patienceMilliseconds) else {
                    throw .lost(SystemCallError("snd_pcm_wait \(pcm.device)", .timedOut))
                }
            case .underrun: return try recover()
            case .suspended: if !pcm.resume() { return try recover() }
            }
        }
    }

    /// The rest of the period is lost; the sound goes on with the next.
    private func recover() throws(SoundError) {
        underruns += 1
        try restart()
    }

    private func convert(_ samples: UnsafeBufferPointer<Float>) {
        switch pcm.format {
        case .float:
            let target = converted.assumingMemoryBound(to: Float.self)
            for index in samples.indices { target[index] = samples[index] }
        case .signed32:
            let target = converted.assumingMemoryBound(to: Int32.self)
            for index in samples.indices { target[index] = Int32(clipping: samples[index]) }
        case .signed16:
            let target = converted.assumingMemoryBound(to: Int16.self)
            for index in samples.indices { target[index] = Int16(clipping: samples[index]) }
        }
    }
}

extension Errno {
    fileprivate static let timedOut = Errno(rawValue: ETIMEDOUT)
}
