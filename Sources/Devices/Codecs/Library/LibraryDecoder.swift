// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec
import Media
import Time

/// Decodes a stream's units by a device that libavcodec drives (VAAPI, or one that gives DRM PRIME directly). Pictures
/// stay in the device's memory; a reader gets a copy.
///
/// Calls return when the device has finished; how long that takes depends on its driver.
/// - Thread: one, which owns it. Pictures may be released on any thread, also after the decoder.
final class LibraryDecoder: DeviceDecoder {
    private(set) var phase = DecoderPhase.decoding
    var isDrained: Bool { phase == .drained }

    private let coding: VideoCoding
    /// nil after it was closed.
    private var decoder: VideoDecoder?
    private let choice: UnsafeMutablePointer<PictureChoice>
    private var memories = SharedMemories()
    /// Frame pool of the pictures that `memories` knows.
    private var pool: UnsafeRawPointer?
    /// Number of units since the last picture.
    private var unanswered = 0

    /// The pixel format that libavcodec is to choose, and whether the device does not offer it.
    private struct PictureChoice {
        let pictures: AVPixelFormat
        var isRefused = false
    }

    /// After this many units without a picture, more than any stream reorders, the device counts as wedged.
    private static let mostUnanswered = 64

    /// - Parameters:
    ///   - path: path of a device that `DecoderInventory` lists.
    ///   - sparePictures: number of pictures that readers may keep at a time.
    convenience init(opening path: String, decoding coding: VideoCoding, sparePictures: Int) throws(DecoderFault) {
        for way in LibraryWay.all(for: coding) {
            guard let device = LibraryDevice(way.device, at: path) else { continue }
            try self.init(way, device.reference, decoding: coding, sparePictures: sparePictures)
            return
        }
        throw .noDevice(coding.stateful)
    }

    /// - Parameter device: retained by the decoder; the caller keeps its own reference.
    init(
        _ way: LibraryWay, _ device: UnsafeMutablePointer<AVBufferRef>?, decoding coding: VideoCoding,
        sparePictures: Int
    ) throws(DecoderFault) {
        guard let codec = Codec(coding) else { throw .noDevice(coding.stateful) }
        self.coding = coding
        let choice = UnsafeMutablePointer<PictureChoice>.allocate(capacity: 1)
        choice.initialize(to: PictureChoice(pictures: way.pictures))
        self.choice = choice
        do throws(CodecError) {
            decoder = try VideoDecoder(codec, by: way.decoder) { context in
                context.pointee.hw_device_ctx = device.flatMap { av_buffer_ref($0) }
                context.pointee.extra_hw_frames = Int32(sparePictures)
                context.pointee.opaque = UnsafeMutableRawPointer(choice)
                context.pointee.get_format = { context, offered in
                    guard let context, let offered, let opaque = context.pointee.opaque else { return AV_PIX_FMT_NONE }
                    let choice = opaque.assumingMemoryBound(to: PictureChoice.self)
                    var next = offered
                    while next.pointee != AV_PIX_FMT_NONE {
                        if next.pointee == choice.pointee.pictures { return next.pointee }
                        next += 1
                    }
                    choice.pointee.isRefused = true
                    return AV_PIX_FMT_NONE
                }
            }
        } catch {
            throw DecoderFault(error, of: coding)
        }
    }

    deinit {
        decoder = nil
        choice.deallocate()
    }

    /// Always false: calls return only after the device has finished.
    func isOwing(_ span: Nanoseconds) -> Bool { false }

    func offer(_ bytes: UnsafeRawBufferPointer, of unit: AccessUnit) throws(DecoderFault) -> Bool {
        try checkOpen()
        phase = .decoding
        do throws(CodecError) {
            try decoder?.send(unit, bytes)
        } catch {
            guard error != .outputWaiting else { return false }
            try judge(error)
        }
        unanswered += 1
        guard unanswered <= Self.mostUnanswered else { throw fail(.wedged(phase)) }
        return true
    }

    func drain() throws(DecoderFault) {
        try checkOpen()
        phase = .draining
        do throws(CodecError) { try decoder?.drain() } catch { try judge(error) }
    }

    func flush() throws(DecoderFault) {
        try checkOpen()
        decoder?.flush()
        (phase, unanswered) = (.decoding, 0)
    }

    func take() throws(DecoderFault) -> VideoFrame? {
        try checkOpen()
        guard let (frame, isDamaged) = try receive() else { return nil }
        unanswered = 0
        let picture: LibraryPicture
        do throws(DecoderFault) { picture = try LibraryPicture(adopting: frame) } catch { throw fail(error) }
        // A new size uses new memory, so the old memory is let go.
        if picture.pool != pool { memories.forget() }
        pool = picture.pool
        return picture.frame(picture.shared(&memories), isDamaged: isDamaged)
    }

    private func receive() throws(DecoderFault) -> (frame: UnsafeMutablePointer<AVFrame>, isDamaged: Bool)? {
        do throws(CodecError) {
            if let received = try decoder?.receiveFrame() { return received }
            if phase == .draining { phase = .drained }
        } catch {
            try judge(error)
        }
        return nil
    }

    /// Does nothing: no picture is ever under way.
    func advance(atMost span: Nanoseconds) throws(DecoderFault) {}

    func close() {
        decoder = nil
        memories.forget()
        if phase != .failed { phase = .closed }
    }

    private func checkOpen() throws(DecoderFault) {
        if phase == .failed || phase == .closed { throw .gone }
    }

    /// Damaged data is the stream's fault; all other errors are the device's.
    private func judge(_ error: CodecError) throws(DecoderFault) {
        if choice.pointee.isRefused { throw fail(.refusedFormat(coding.stateful)) }
        if !error.isOfData { throw fail(DecoderFault(error, of: coding)) }
    }

    private func fail(_ fault: DecoderFault) -> DecoderFault {
        decoder = nil
        memories.forget()
        phase = .failed
        return fault
    }
}
