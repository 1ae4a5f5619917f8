// SPDX-License-Identifier: Apache-2.0
internal import CLibALSA
import Glibc
import System
import Time

/// A libasound PCM, opened nonblocking; only `waitForRoom` waits.
final class PCM: PCMDevice {
    let name: String
    let sampleRate: Int
    let format: SampleFormat
    private(set) var period: Int
    private(set) var buffer: Int
    /// Number of its card; nil if it belongs to no card.
    let card: Int?
    private let handle: OpaquePointer
    private let status: OpaquePointer

    private static let wantedRate: CUnsignedInt = 48_000

    init(opening name: String, sizes: PCMSizes) throws(SoundError) {
        silenceLibrary()
        var opened: OpaquePointer?
        let code = snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, CInt(SND_PCM_NONBLOCK))
        guard code >= 0, let opened else { throw .lost(SystemCallError("snd_pcm_open \(name)", Errno(alsa: code))) }
        var allocated: OpaquePointer?
        do throws(SoundError) {
            try check("snd_pcm_status_malloc", name, snd_pcm_status_malloc(&allocated))
            let chosen = try Self.negotiate(opened, name, sizes)
            try Self.setSoftware(opened, name, chosen)
            self.name = name
            format = chosen.format
            sampleRate = chosen.rate
            period = chosen.period
            buffer = chosen.buffer
        } catch {
            snd_pcm_status_free(allocated)
            snd_pcm_close(opened)
            throw error
        }
        guard let allocated else { preconditionFailure("snd_pcm_status_malloc returned 0 and nothing") }
        card = Self.card(of: opened)
        status = allocated
        handle = opened
    }

    deinit {
        snd_pcm_status_free(status)
        snd_pcm_close(handle)
    }

    func prepare() throws(SoundError) { try check("snd_pcm_prepare", name, snd_pcm_prepare(handle)) }

    func resume() -> Resumption {
        switch snd_pcm_resume(handle) {
        case 0: .done
        case -EAGAIN: .notYet
        default: .never
        }
    }

    func start() throws(SoundError) {
        guard snd_pcm_state(handle) == SND_PCM_STATE_PREPARED else { return }
        try check("snd_pcm_start", name, snd_pcm_start(handle))
    }

    func write(_ bytes: UnsafeRawPointer, frames: Int) throws(SoundError) -> Written {
        let result = snd_pcm_writei(handle, bytes, snd_pcm_uframes_t(frames))
        switch CInt(clamping: result) {
        case 0...: return .frames(Int(result))
        case -EAGAIN, -EINTR: return .full
        // After a fault of their own, some drivers leave the PCM stopped (-EBADFD) instead of reporting an underrun.
        case -EPIPE, -EBADFD: return .underrun
        case -ESTRPIPE: return .suspended
        case let code: throw .lost(SystemCallError("snd_pcm_writei \(name)", Errno(alsa: code)))
        }
    }

    func waitForRoom(milliseconds: CInt) { snd_pcm_wait(handle, milliseconds) }

    func resize(to sizes: PCMSizes) throws(SoundError) {
        snd_pcm_drop(handle)
        let chosen = try Self.negotiate(handle, name, sizes)
        guard chosen.format == format, chosen.rate == sampleRate else {
            throw .unsupported(device: name, what: "another rate or format than before")
        }
        try Self.setSoftware(handle, name, chosen)
        (period, buffer) = (chosen.period, chosen.buffer)
    }

    func delay() -> Delay? {
        // The status holds delay and time stamp of one measurement, if the driver supports that.
        guard snd_pcm_status(handle, status) >= 0, snd_pcm_status_get_state(status) == SND_PCM_STATE_RUNNING else {
            return nil
        }
        var stamp = snd_htimestamp_t()
        snd_pcm_status_get_htstamp(status, &stamp)
        let at = Monotonic(nanoseconds: Int64(stamp.tv_sec) &* 1_000_000_000 &+ Int64(stamp.tv_nsec))
        return Delay(frames: max(0, snd_pcm_status_get_delay(status)), at: at.nanoseconds > 0 ? at : nil)
    }

    private static func card(of handle: OpaquePointer) -> Int? {
        var info: OpaquePointer?
        guard snd_pcm_info_malloc(&info) >= 0 else { return nil }
        defer { snd_pcm_info_free(info) }
        guard snd_pcm_info(handle, info) >= 0 else { return nil }
        let number = snd_pcm_info_get_card(info)
        return number >= 0 ? Int(number) : nil
    }

    // MARK: Parameters

    private struct Chosen {
        var format: SampleFormat
        var rate: Int
        var period: Int
        var buffer: Int
    }

    /// Negotiates in one order and, if the resulting buffer is unusable, in the other.
    private static func negotiate(
        _ handle: OpaquePointer, _ name: String, _ sizes: PCMSizes
    ) throws(SoundError) -> Chosen {
        var allocated: OpaquePointer?
        try check("snd_pcm_hw_params_malloc", name, snd_pcm_hw_params_malloc(&allocated))
        defer { snd_pcm_hw_params_free(allocated) }
        var problem = ""
        for order in PCMSizes.Order.allCases {
            snd_pcm_hw_free(handle)  // frees the previous choice; the first time there is none
            let chosen = try setHardware(handle, allocated, name, sizes, order)
            guard let found = PCMSizes.problem(period: chosen.period, buffer: chosen.buffer, rate: chosen.rate) else {
                return chosen
            }
            problem = found
        }
        throw .unsupported(device: name, what: problem)
    }

    private static func setHardware(
        _ handle: OpaquePointer, _ allocated: OpaquePointer?, _ name: String, _ sizes: PCMSizes, _ order: PCMSizes.Order
    ) throws(SoundError) -> Chosen {
        try check("snd_pcm_hw_params_any", name, snd_pcm_hw_params_any(handle, allocated))
        // ALSA's own rate conversion is of low quality and its delay is unknown.
        try check("rate", name, snd_pcm_hw_params_set_rate_resample(handle, allocated, 0))
        try check("access", name, snd_pcm_hw_params_set_access(handle, allocated, SND_PCM_ACCESS_RW_INTERLEAVED))
        try check("2 channels", name, snd_pcm_hw_params_set_channels(handle, allocated, 2))
        let format = SampleFormat.allCases.first {
            snd_pcm_hw_params_set_format(handle, allocated, $0.libraryCode) >= 0
        }
        guard let format else { throw .unsupported(device: name, what: "sample format") }
        var rate = wantedRate
        try check("rate", name, snd_pcm_hw_params_set_rate_near(handle, allocated, &rate, nil))
        guard (8_000...192_000).contains(rate) else { throw .unsupported(device: name, what: "rate \(rate)") }
        var period = snd_pcm_uframes_t(sizes.period(at: Int(rate)))
        var buffer = snd_pcm_uframes_t(sizes.buffer(at: Int(rate)))
        switch order {
        case .periodFirst:
            try check("period", name, snd_pcm_hw_params_set_period_size_near(handle, allocated, &period, nil))
            buffer = max(period * 2, buffer)
            try check("buffer", name, snd_pcm_hw_params_set_buffer_size_near(handle, allocated, &buffer))
        case .bufferFirst:
            try check("buffer", name, snd_pcm_hw_params_set_buffer_size_near(handle, allocated, &buffer))
            period = max(1, min(period, buffer / 4))
            try check("period", name, snd_pcm_hw_params_set_period_size_near(handle, allocated, &period, nil))
        }
        try check("snd_pcm_hw_params", name, snd_pcm_hw_params(handle, allocated))
        try check("snd_pcm_get_params", name, snd_pcm_get_params(handle, &buffer, &period))
        return Chosen(format: format, rate: Int(rate), period: Int(clamping: period), buffer: Int(clamping: buffer))
    }

    private static func setSoftware(
        _ handle: OpaquePointer, _ name: String, _ chosen: Chosen
    ) throws(SoundError) {
        let (buffer, period) = (snd_pcm_uframes_t(chosen.buffer), snd_pcm_uframes_t(chosen.period))
        var allocated: OpaquePointer?
        try check("snd_pcm_sw_params_malloc", name, snd_pcm_sw_params_malloc(&allocated))
        defer { snd_pcm_sw_params_free(allocated) }
        try check("snd_pcm_sw_params_current", name, snd_pcm_sw_params_current(handle, allocated))
        // The PCM is started by `start` and stops at an underrun.
        try check("start", name, snd_pcm_sw_params_set_start_threshold(handle, allocated, buffer * 2))
        try check("stop", name, snd_pcm_sw_params_set_stop_threshold(handle, allocated, buffer))
        try check("wake", name, snd_pcm_sw_params_set_avail_min(handle, allocated, period))
        // If the driver cannot give time stamps, `delay` gives none.
        snd_pcm_sw_params_set_tstamp_mode(handle, allocated, SND_PCM_TSTAMP_ENABLE)
        snd_pcm_sw_params_set_tstamp_type(handle, allocated, SND_PCM_TSTAMP_TYPE_MONOTONIC)
        try check("snd_pcm_sw_params", name, snd_pcm_sw_params(handle, allocated))
    }
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
