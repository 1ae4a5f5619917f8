// SPDX-License-Identifier: Apache-2.0
import System
import Time

/// Keeps a playing PCM supplied, estimates when samples will be heard, and restarts the PCM when it stops. What cannot
/// be repaired is thrown.
///
/// After an underrun the PCM is restarted with silence that fills its buffer except for one period: samples that were
/// not played are dropped, none is played twice or faster. After repeated underruns the buffer is made larger. If even
/// the largest buffer runs dry sooner than it could have been played, the device is lost.
final class PCMPlayback {
    let device: any PCMDevice
    private(set) var underruns: Int64 = 0
    private let clock: any PacingClock
    private var sizes: PCMSizes
    private var played: PlayedClock
    private var pace: PaceGuard
    /// About recent underruns: when the first was, how many there were, and how many in a row came sooner than the
    /// buffer could have been played.
    private var dry: (since: Monotonic, count: Int, tooSoon: Int)
    private var begun: Monotonic
    /// Room for one device buffer of frames, in the device's format.
    private var converted: UnsafeMutableRawBufferPointer

    /// A device that takes no frames for this time is lost.
    private static let patience = Nanoseconds.seconds(1)
    /// This many underruns within this span are no coincidence.
    private static let often = (count: 4, span: Nanoseconds.seconds(10))

    /// - Parameter sizes: the sizes with which `device` was opened.
    init(_ device: any PCMDevice, sizes: PCMSizes, clock: any PacingClock) throws(SoundError) {
        self.device = device
        self.sizes = sizes
        self.clock = clock
        played = PlayedClock(sampleRate: device.sampleRate)
        pace = PaceGuard(sampleRate: device.sampleRate, buffer: device.buffer)
        dry = (clock.now(), 0, 0)
        begun = clock.now()
        converted = .allocate(byteCount: device.buffer * 2 * device.format.octets, alignment: 64)
        try restart()
    }

    deinit { converted.deallocate() }

    func nextAudible() -> Monotonic {
        let now = clock.now()
        guard let delay = device.delay() else { return played.nextAudible(delay: nil, at: now) }
        let at = delay.at.flatMap { $0 <= now && now - $0 < Self.patience ? $0 : nil }
        return played.nextAudible(delay: delay.frames, at: at ?? now)
    }

    func write(_ samples: UnsafeBufferPointer<Float>) throws(SoundError) {
        var rest = samples
        while !rest.isEmpty {
            let count = min(rest.count, device.buffer * 2)
            device.format.convert(UnsafeBufferPointer(rebasing: rest[..<count]), into: converted)
            // After a restart, the rest of these samples would be late, so it is dropped.
            guard try write(frames: count / 2) else { return }
            rest = UnsafeBufferPointer(rebasing: rest[count...])
        }
    }

    /// - Returns: false if the device was restarted, so that the rest is to be dropped.
    private func write(frames: Int) throws(SoundError) -> Bool {
        guard let base = converted.baseAddress else { return false }
        let frameOctets = 2 * device.format.octets
        var done = 0
        var lastTaken = clock.now()
        while done < frames {
            switch try device.write(base + done * frameOctets, frames: frames - done) {
            case .frames(let count) where count > 0:
                done += count
                played.wrote(frames: count)
                lastTaken = clock.now()
                if let until = pace.took(frames: count, at: lastTaken) { clock.sleep(until: until) }
            case .frames, .full:
                try waitForRoom(since: lastTaken)
            case .underrun:
                try recover()
                return false
            case .suspended:
                guard try resume() else { return false }
                lastTaken = clock.now()
            }
        }
        return true
    }

    private func waitForRoom(since lastTaken: Monotonic) throws(SoundError) {
        let began = clock.now()
        guard began - lastTaken < Self.patience else {
            throw .lost(SystemCallError("snd_pcm_wait \(device.name)", .timedOut))
        }
        device.waitForRoom(milliseconds: 100)
        // A faulty device may report room at once and still take nothing.
        if clock.now() - began < .microseconds(100) { clock.sleep(until: began + .milliseconds(1)) }
    }

    /// - Returns: false if the device was restarted.
    private func resume() throws(SoundError) -> Bool {
        let end = clock.now() + Self.patience
        while clock.now() < end {
            switch device.resume() {
            case .done: return true
            case .never:
                try recover()
                return false
            case .notYet: clock.sleep(until: clock.now() + .milliseconds(10))
            }
        }
        try recover()
        return false
    }

    private func recover() throws(SoundError) {
        underruns += 1
        let now = clock.now()
        if now - dry.since > Self.often.span { dry = (now, 0, 0) }
        dry.count += 1
        let given = TickRate(Int64(device.sampleRate)).nanoseconds(Int64(device.buffer - device.period))
        dry.tooSoon = now - begun < given / 2 ? dry.tooSoon + 1 : 0
        if dry.count >= Self.often.count {
            if let deeper = sizes.deeper {
                try resize(to: deeper)
            } else if dry.tooSoon >= Self.often.count {
                throw .lost(SystemCallError("snd_pcm_writei \(device.name)", .brokenPipe))
            }
            dry = (now, 0, 0)
        }
        try restart()
    }

    private func resize(to deeper: PCMSizes) throws(SoundError) {
        try device.resize(to: deeper)
        sizes = deeper
        converted.deallocate()
        converted = .allocate(byteCount: device.buffer * 2 * device.format.octets, alignment: 64)
        pace = PaceGuard(sampleRate: device.sampleRate, buffer: device.buffer)
    }

    /// Fills the buffer except for one period with silence, so that the delay is the usual one from the first frame on.
    private func restart() throws(SoundError) {
        try device.prepare()
        played.begin()
        converted.initializeMemory(as: UInt8.self, repeating: 0)
        var rest = device.buffer - device.period
        guard let base = converted.baseAddress else { return }
        while rest > 0, case .frames(let count) = try device.write(base, frames: rest), count > 0 {
            rest -= count
            played.wrote(frames: count)
        }
        try device.start()
        begun = clock.now()
    }
}
