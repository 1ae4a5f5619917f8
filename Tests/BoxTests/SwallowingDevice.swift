// SPDX-License-Identifier: Apache-2.0
import Media
import Synchronization
import Time

@testable import Codecs

/// A decoder of H.264 that gives pictures of the first units that it is given, and takes all others without a word. It
/// never says that it is owing a picture, so that nobody who asks it finds the fault.
final class SwallowingDevice: Sendable {
    /// Number of units of which it gives pictures.
    private let goodUnits: Int
    private let taken = Atomic<Int>(0)
    private let opened = Atomic<Int>(0)

    init(goodUnits: Int) { self.goodUnits = goodUnits }

    /// How often it was opened.
    var openings: Int { opened.load(ordering: .relaxed) }

    var inventory: DecoderInventory {
        DecoderInventory(devices: [
            DecoderDevice(path: "/dev/fake0", driver: "fake", streams: [.init(.h264, VideoCoding.h264.stateful)])
        ])
    }

    func open() throws(DecoderFault) -> any DeviceDecoder {
        opened.add(1, ordering: .relaxed)
        do throws(CodecError) {
            return try SwallowingDecoder(self)
        } catch {
            throw .gone
        }
    }

    fileprivate func swallows() -> Bool { taken.add(1, ordering: .relaxed).oldValue >= goodUnits }
}

private final class SwallowingDecoder: DeviceDecoder {
    private let device: SwallowingDevice
    private var decoder: VideoDecoder

    init(_ device: SwallowingDevice) throws(CodecError) {
        self.device = device
        decoder = try VideoDecoder(.h264)
    }

    let phase = DecoderPhase.decoding
    let isDrained = true
    func isOwing(_ span: Nanoseconds) -> Bool { false }

    func offer(_ bytes: UnsafeRawBufferPointer, of unit: AccessUnit) throws(DecoderFault) -> Bool {
        guard !device.swallows() else { return true }
        try attempt { () throws(CodecError) in try decoder.send(unit, bytes) }
        return true
    }

    func take() throws(DecoderFault) -> VideoFrame? {
        do throws(CodecError) {
            return try decoder.receive()
        } catch {
            throw .gone
        }
    }

    private func attempt(_ body: () throws(CodecError) -> Void) throws(DecoderFault) {
        do throws(CodecError) {
            try body()
        } catch {
            throw .gone
        }
    }

    func drain() throws(DecoderFault) {}
    func flush() throws(DecoderFault) { decoder.flush() }
    func advance(atMost span: Nanoseconds) throws(DecoderFault) {}
    func close() {}
}
