// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Synchronization
import System
import Time

@testable import Codecs

/// Decoders of H.264 that give pictures of the first units that they are given, and do not return from the call that
/// brings the next one, until the test lets them go or a minute is over.
final class StuckDevice: Sendable {
    private static let longestHang = Nanoseconds.seconds(60)
    private let goodUnits: Int
    private let paths: [String]
    private let taken = Atomic<Int>(0)
    private let hanging = Atomic<Int>(0)
    private let released = StopFlag()

    /// - Parameters:
    ///   - count: number of the devices.
    ///   - goodUnits: number of units of which they give pictures, all together.
    init(count: Int = 1, goodUnits: Int) {
        self.goodUnits = goodUnits
        paths = (0..<count).map { "/dev/fake\($0)" }
    }

    /// How many calls have not returned.
    var calls: Int { hanging.load(ordering: .acquiring) }

    func release() { released.raise() }

    var inventory: DecoderInventory {
        DecoderInventory(
            devices: paths.map {
                DecoderDevice(path: $0, driver: "fake", streams: [.init(.h264, VideoCoding.h264.stateful)])
            })
    }

    func open() throws(DecoderFault) -> any DeviceDecoder {
        do throws(CodecError) {
            return try StuckDecoder(self)
        } catch {
            throw .gone
        }
    }

    fileprivate func hangIfDone() {
        guard taken.add(1, ordering: .relaxed).oldValue >= goodUnits else { return }
        hanging.add(1, ordering: .acquiringAndReleasing)
        let end = SystemClock.monotonic() + Self.longestHang
        while !released.isRaised, SystemClock.monotonic() < end {
            SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(5))
        }
        hanging.subtract(1, ordering: .acquiringAndReleasing)
    }
}

private final class StuckDecoder: DeviceDecoder {
    private let device: StuckDevice
    private var decoder: VideoDecoder

    init(_ device: StuckDevice) throws(CodecError) {
        self.device = device
        decoder = try VideoDecoder(.h264)
    }

    let phase = DecoderPhase.decoding
    let isDrained = true
    func isOwing(_ span: Nanoseconds) -> Bool { false }

    func offer(_ bytes: UnsafeRawBufferPointer, of unit: AccessUnit) throws(DecoderFault) -> Bool {
        device.hangIfDone()
        do throws(CodecError) {
            try decoder.send(unit, bytes)
        } catch {
            throw .gone
        }
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
