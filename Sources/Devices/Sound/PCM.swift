// SPDX-License-Identifier: Apache-2.0
internal import CLibALSA
import Glibc
import System
import Time

/// An ALSA PCM that plays interleaved stereo, opened so that no call on it waits but `waitForRoom`.
struct PCM: ~Copyable {
    enum SampleFormat: CaseIterable {
        // In order of preference.
        case float, signed32, signed16

        var octets: Int { self == .signed16 ? 2 : 4 }
    }

    enum Written {
        case frames(Int)
        case full
        /// It ran dry and stands still.
        case underrun
        /// The machine slept.
        case suspended
    }

    let device: String
    let sampleRate: Int
    let format: SampleFormat
    /// Frames.
    let period: Int
    let buffer: Int
    private let handle: OpaquePointer

    private static let wantedRate: CUnsignedInt = 48_000
    private static let wantedPeriod: snd_pcm_uframes_t = 480
    private static let wantedBuffer: snd_pcm_uframes_t = 2_400

    init(opening device: String) throws(SoundError) {
        Self.silenceLog
        var opened: OpaquePointer?
        let code = snd_pcm_open(&opened, device, SND_PCM_STREAM_PLAYBACK, CInt(SND_PCM_NONBLOCK))
        guard code >= 0, let opened else { throw .lost(SystemCallError("snd_pcm_open \(device)", Errno(alsa: code))) }
        do throws(SoundError) {
            let (chosen, rate) = try Self.setHardware(opened, device)
            var (frames, size) = (snd_pcm_uframes_t(), snd_pcm_uframes_t())
            try Self.check("snd_pcm_get_params", device, snd_pcm_get_params(opened, &size, &frames))
            guard frames > 0, frames <= size, size <= 1 << 20 else {
                throw .unsupported(device: device, what: "buffer of \(size) frames, period of \(frames)")
            }
            try Self.setSoftware(opened, device, buffer: size, period: frames)
            self.device = device
            format = chosen
            sampleRate = rate
            period = Int(frames)
            buffer = Int(size)
        } catch {
            snd_pcm_close(opened)
            throw error
        }
        handle = opened
    }

    deinit { snd_pcm_close(handle) }

    /// Gets ready for `write` from whatever state it is in.
    func prepare() throws(SoundError) { try Self.check("snd_pcm_prepare", device, snd_pcm_prepare(handle)) }

    /// - Returns: false when it cannot go on and needs `prepare`.
    func resume() -> Bool {
        for _ in 0..<100 {
            let code = snd_pcm_resume(handle)
            guard code == -EAGAIN else { return code == 0 }
            usleep(10_000)
        }
        return false
    }

    /// Begins to play what has been written. Running already is as good.
    func start() throws(SoundError) {
        guard snd_pcm_state(handle) == SND_PCM_STATE_PREPARED else { return }
        try Self.check("snd_pcm_start", device, snd_pcm_start(handle))
    }

    /// - Parameter frames: at `bytes`, in `format`.
    func write(_ bytes: UnsafeRawPointer, frames: Int) throws(SoundError) -> Written {
        let result = snd_pcm_writei(handle, bytes, snd_pcm_uframes_t(frames))
        switch CInt(clamping: result) {
        case 0...: return .frames(Int(result))
        case -EAGAIN, -EINTR: return .full
        case -EPIPE: return .underrun
        case -ESTRPIPE: return .suspended
        case let code: throw .lost(SystemCallError("snd_pcm_writei \(device)", Errno(alsa: code)))
        }
    }

    /// - Returns: false when the device has taken nothing for that long.
    func waitForRoom(milliseconds: CInt) -> Bool {
        // What is wrong with it the next write says.
        snd_pcm_wait(handle, milliseconds) != 0
    }

    /// Frames between the device's present one and that written next; 0 while it stands still.
    var delay: Int {
        var frames = snd_pcm_sframes_t()
        guard snd_pcm_delay(handle, &frames) >= 0 else { return 0 }
        return max(0, Int(frames))
    }

    private static func setHardware(
        _ handle: OpaquePointer, _ device: String
    ) throws(SoundError) -> (SampleFormat, Int) {
        var allocated: OpaquePointer?
        try check("snd_pcm_hw_params_malloc", device, snd_pcm_hw_params_malloc(&allocated))
        defer { snd_pcm_hw_params_free(allocated) }
        try check("snd_pcm_hw_params_any", device, snd_pcm_hw_params_any(handle, allocated))
        // ALSA's own conversion of rates is of low quality and does not tell its delay.
        try check("rate", device, snd_pcm_hw_params_set_rate_resample(handle, allocated, 0))
        try check(
            "access", device, snd_pcm_hw_params_set_access(handle, allocated, SND_PCM_ACCESS_RW_INTERLEAVED))
        try check("2 channels", device, snd_pcm_hw_params_set_channels(handle, allocated, 2))
        let format = SampleFormat.allCases.first {
            snd_pcm_hw_params_set_format(handle, allocated, $0.libraryCode) >= 0
        }
        guard let format else { throw .unsupported(device: device, what: "sample format") }
        var rate = wantedRate
        try check("rate", device, snd_pcm_hw_params_set_rate_near(handle, allocated, &rate, nil))
        guard (8_000...192_000).contains(rate) else { throw .unsupported(device: device, what: "rate \(rate)") }
        var period = wantedPeriod * snd_pcm_uframes_t(rate) / snd_pcm_uframes_t(wantedRate)
        try check("period", device, snd_pcm_hw_params_set_period_size_near(handle, allocated, &period, nil))
        var buffer = max(period * 2, wantedBuffer * snd_pcm_uframes_t(rate) / snd_pcm_uframes_t(wantedRate))
        try check("buffer", device, snd_pcm_hw_params_set_buffer_size_near(handle, allocated, &buffer))
        try check("snd_pcm_hw_params", device, snd_pcm_hw_params(handle, allocated))
        return (format, Int(rate))
    }

    private static func setSoftware(
        _ handle: OpaquePointer, _ device: String, buffer: snd_pcm_uframes_t, period: snd_pcm_uframes_t
    ) throws(SoundError) {
        var allocated: OpaquePointer?
        try check("snd_pcm_sw_params_malloc", device, snd_pcm_sw_params_malloc(&allocated))
        defer { snd_pcm_sw_params_free(allocated) }
        try check("snd_pcm_sw_params_current", device, snd_pcm_sw_params_current(handle, allocated))
        // Started by hand; stopped when dry.
        try check("start", device, snd_pcm_sw_params_set_start_threshold(handle, allocated, buffer * 2))
        try check("stop", device, snd_pcm_sw_params_set_stop_threshold(handle, allocated, buffer))
        try check("wake", device, snd_pcm_sw_params_set_avail_min(handle, allocated, period))
        try check("snd_pcm_sw_params", device, snd_pcm_sw_params(handle, allocated))
    }

    private static func check(_ what: String, _ device: String, _ code: CInt) throws(SoundError) {
        guard code < 0 else { return }
        if code == -EINVAL { throw .unsupported(device: device, what: what) }
        throw .lost(SystemCallError("\(what) \(device)", Errno(alsa: code)))
    }

    /// libasound would write to standard error what is thrown instead.
    private static let silenceLog: Void = tl_alsa_silence()
}

extension PCM.SampleFormat {
    fileprivate var libraryCode: snd_pcm_format_t {
        switch self {
        case .float: SND_PCM_FORMAT_FLOAT
        case .signed32: SND_PCM_FORMAT_S32
        case .signed16: SND_PCM_FORMAT_S16
        }
    }
}

extension Errno {
    /// libasound returns error numbers negated.
    fileprivate init(alsa code: CInt) { self.init(rawValue: 0 &- code) }
}
