// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import System
import Time

@testable import Codecs

/// A decoder of H.264 that does what a test wants.
final class FaultyDevice: Sendable {
    enum Mode: Sendable, Equatable {
        case works
        /// Takes units and gives no pictures.
        case swallows
        /// Does not return from a call while it is in this mode.
        case hangs
        case fails
        /// It cannot be opened, and was removed if it was open.
        case isGone
    }

    let mode = LatestValue(Mode.works)

    var inventory: DecoderInventory {
        DecoderInventory(devices: [
            DecoderDevice(path: "/dev/fake0", driver: "fake", streams: [.init(.h264, VideoCoding.h264.stateful)])
        ])
    }

    func open() throws(DecoderFault) -> any DeviceDecoder {
        guard mode.value != .isGone else { throw .gone }
        do throws(CodecError) {
            return try FaultyDecoder(self)
        } catch {
            throw .gone
        }
    }
}

private final class FaultyDecoder: DeviceDecoder {
    private let device: FaultyDevice
    private var decoder: VideoDecoder

    init(_ device: FaultyDevice) throws(CodecError) {
        self.device = device
        decoder = try VideoDecoder(.h264)
    }

    let phase = DecoderPhase.decoding
    let isDrained = true
    func isOwing(_ span: Nanoseconds) -> Bool { false }

    func offer(_ bytes: UnsafeRawBufferPointer, of unit: AccessUnit) throws(DecoderFault) -> Bool {
        while device.mode.value == .hangs { SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(5)) }
        switch device.mode.value {
        case .works, .hangs: break
        case .swallows: return true
        case .fails: throw .failed(call: "VIDIOC_QBUF", code: 5)
        case .isGone: throw .gone
        }
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
