// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Synchronization
import System
import Time

@testable import Codecs

/// A decoder of H.264 whose first stream hangs with the first unit that it is given, until the test lets it go, but no
/// longer than ten seconds. Every other stream finds it gone.
final class HangingDevice: Sendable {
    static let longestHang = Nanoseconds.seconds(10)
    private let openings = Atomic<Int>(0)
    private let hanging = Atomic<Bool>(false)
    private let released = StopFlag()

    var isHanging: Bool { hanging.load(ordering: .acquiring) }

    func release() { released.raise() }

    var inventory: DecoderInventory {
        DecoderInventory(devices: [
            DecoderDevice(path: "/dev/fake0", driver: "fake", streams: [.init(.h264, VideoCoding.h264.stateful)])
        ])
    }

    func open() throws(DecoderFault) -> any DeviceDecoder {
        guard openings.add(1, ordering: .relaxed).oldValue == 0 else { throw .gone }
        return HangingDecoder(self)
    }

    fileprivate func hang() {
        hanging.store(true, ordering: .releasing)
        let end = SystemClock.monotonic() + Self.longestHang
        while !released.isRaised, SystemClock.monotonic() < end {
            SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(5))
        }
        hanging.store(false, ordering: .releasing)
    }
}

private final class HangingDecoder: DeviceDecoder {
    private let device: HangingDevice

    init(_ device: HangingDevice) { self.device = device }

    let phase = DecoderPhase.decoding
    let isDrained = false
    func isOwing(_ span: Nanoseconds) -> Bool { false }

    func offer(_ bytes: UnsafeRawBufferPointer, of unit: AccessUnit) throws(DecoderFault) -> Bool {
        device.hang()
        throw .gone
    }

    func drain() throws(DecoderFault) {}
    func flush() throws(DecoderFault) {}
    func take() throws(DecoderFault) -> VideoFrame? { nil }
    func advance(atMost span: Nanoseconds) throws(DecoderFault) {}
    func close() {}
}
