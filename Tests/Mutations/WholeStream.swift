// SPDX-License-Identifier: Apache-2.0
import Codecs
import Media
import Playback
import Reception
import Time
import TransportStream

/// A damaged stream all the way that a channel's goes: receiver, history, demultiplexer, decoders of pictures and sound.
/// Made once, as a box's are: what one stream leaves behind is what the next one meets.
final class WholeStream: AccessUnitSink {
    static let name = "WholeStream"
    private let history = HistoryBuffer(span: .seconds(10), capacity: 1 << 20)
    private let receiver: FlowReceiver
    private let buffer: UnsafeMutableRawBufferPointer
    private var cursor: HistoryBuffer.Cursor
    private var demultiplexer = TSDemultiplexer(videoLimit: 256 << 10)
    private var video: VideoDecoder?
    private var audio: AudioDecoder?
    // Beside the demultiplexer, which must not be looked at while it delivers.
    private var codecs: (video: Codec?, audio: Codec?)
    private var channels = 0
    private var now = Monotonic(nanoseconds: 1_000_000_000)
    /// Delivered so far; none at all would mean that nothing was tried.
    private(set) var pictures = 0
    private(set) var soundFrames = 0

    init() {
        receiver = FlowReceiver(.raw, into: history)
        buffer = .allocate(byteCount: history.largestRecord, alignment: 16)
        cursor = history.oldest
    }

    deinit { buffer.deallocate() }

    func play(_ stream: UnsafeRawBufferPointer) {
        for place in stride(from: 0, to: stream.count, by: 1_316) {
            let part = stream[place..<min(stream.count, place + 1_316)]
            receiver.datagramReceived(UnsafeRawBufferPointer(rebasing: part), at: now)
            now += .milliseconds(4)
        }
        receiver.tick(at: now)
        var sink = self
        while case .record(let record) = history.read(&cursor, into: buffer) {
            demultiplexer.push(datagram: UnsafeRawBufferPointer(rebasing: buffer[..<record.octets]), to: &sink)
        }
        demultiplexer.flush(to: &sink)
    }

    func programChanged(_ program: Program?) {
        let now = (program?.video.flatMap { Codec($0.codec) }, program?.audio.flatMap { Codec($0.codec) })
        if now.0 != codecs.video { video = nil }
        if now.1 != codecs.audio { audio = nil }
        codecs = now
        channels = program?.audio?.channels ?? 0
    }

    func videoUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {
        guard let codec = codecs.video else { return }
        let pts = Int64(unit.pts ?? 0)
        let access = AccessUnit(
            pts: pts, dts: Int64(unit.dts ?? unit.pts ?? 0), isRandomAccess: unit.isRandomAccess,
            isDamaged: unit.isDamaged)
        do throws(CodecError) {
            if video == nil { video = try VideoDecoder(codec) }
            try video?.send(access, bytes)
            while let frame = try video?.receive() {
                pictures += frame.width > 0 ? 1 : 0
            }
        } catch {
            // Expected: what counts is that the next unit can be sent.
        }
    }

    func audioUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {
        guard let codec = codecs.audio else { return }
        let sound = AudioUnit(
            codec: codec, stream: 1, channels: channels, pts: unit.pts.map { Int64($0) }, offset: .zero, epoch: 0,
            isDamaged: unit.isDamaged)
        do throws(CodecError) {
            if audio == nil { audio = try AudioDecoder(codec, channels: channels) }
            try audio?.send(sound, bytes)
            try audio?.receive { soundFrames += $0.frames }
        } catch {
            // As above.
        }
    }
}
