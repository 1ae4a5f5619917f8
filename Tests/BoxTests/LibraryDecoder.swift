// SPDX-License-Identifier: Apache-2.0
import Media
import Time

@testable import Codecs

/// The decoder of a device that is not there: libavcodec, between which and its caller a test may stand.
final class LibraryDecoder: DeviceDecoder {
    private let admits: () throws(DecoderFault) -> Bool
    private var decoder: VideoDecoder

    /// - Parameter admits: called with each unit; a unit is swallowed if it says false.
    init(_ admits: @escaping () throws(DecoderFault) -> Bool) throws(DecoderFault) {
        self.admits = admits
        do throws(CodecError) {
            decoder = try VideoDecoder(.h264)
        } catch {
            throw .gone
        }
    }

    let phase = DecoderPhase.decoding
    let isDrained = true
    func isOwing(_ span: Nanoseconds) -> Bool { false }

    func offer(_ bytes: UnsafeRawBufferPointer, of unit: AccessUnit) throws(DecoderFault) -> Bool {
        guard try admits() else { return true }
        // As a device, it takes units that it cannot decode.
        do throws(CodecError) { try decoder.send(unit, bytes) } catch {}
        return true
    }

    func take() throws(DecoderFault) -> VideoFrame? {
        do throws(CodecError) {
            return try decoder.receive()
        } catch {
            throw .gone
        }
    }

    func drain() throws(DecoderFault) {}
    func flush() throws(DecoderFault) { decoder.flush() }
    func advance(atMost span: Nanoseconds) throws(DecoderFault) {}
    func close() {}
}

extension DecoderInventory {
    /// Stateful devices for H.264.
    static func devices(_ paths: [String], driver: String = "fake", software: [VideoCoding] = VideoCoding.inSoftware)
        -> DecoderInventory
    {
        DecoderInventory(
            devices: paths.map {
                DecoderDevice(path: $0, driver: driver, streams: [.init(.h264, VideoCoding.h264.stateful)])
            }, software: software)
    }
}
