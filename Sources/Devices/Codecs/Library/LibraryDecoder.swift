// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec
import Media
import Time

/// A stream's units to pictures by a device that libavcodec drives (VAAPI, or what yields DRM PRIME at once). The
/// pictures stay in the device's memory; who reads them has a copy made.
///
/// Calls return when the device has done what they ask: how long that takes is its driver's.
/// - Thread: one, which owns it. Pictures may end on any thread, also after the decoder.
final class LibraryDecoder: DeviceDecoder {
    private(set) var phase = DecoderPhase.decoding
    var isDrained: Bool { phase == .drained }

    private let coding: VideoCoding
    /// Nil: closed.
    private var decoder: VideoDecoder?
    private let choice: UnsafeMutablePointer<PictureChoice>
    private var memories = SharedMemories()
    /// Of the pictures that `memories` knows.
    private var pool: UnsafeRawPointer?
    /// Units since the last picture.
    private var unanswered = 0

    /// What libavcodec is to choose among what it can give, and whether it could not.
    private struct PictureChoice {
        let pictures: AVPixelFormat
        var isRefused = false
    }

    /// So many units without a picture, more than any stream reorders: it gives none.
    private static let mostUnanswered = 64

    /// - Parameters:
    ///   - path: of a device that `DecoderInventory` lists.
    ///   - sparePictures: how many its readers may keep at a time.
    convenience init(opening path: String, decoding coding: VideoCoding, sparePictures: Int) throws(DecoderFault) {
        for way in LibraryWay.all(for: coding) {
            guard let device = LibraryDevice(way.device, at: path) else { continue }
            try self.init(way, device.reference, decoding: coding, sparePictures: sparePictures)
            return
        }
        throw .noDevice(coding.stateful)
    }

    /// - Parameter device: stays the caller's.
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

    /// Of pictures that are there, none waits outside it.
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
        // Another size has other memory, and lets go of what was.
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

    /// Nothing comes that has not come.
    func advance(atMost span: Nanoseconds) throws(DecoderFault) {}

    func close() {
        decoder = nil
        memories.forget()
        if phase != .failed { phase = .closed }
    }

    private func checkOpen() throws(DecoderFault) {
        if phase == .failed || phase == .closed { throw .gone }
    }

    /// Damage is the stream's, all else the device's.
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
