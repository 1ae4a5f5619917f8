// SPDX-License-Identifier: Apache-2.0
import Time

@testable import Codecs

/// Fake decoders of any stream at `/dev/fake0` and so on, with the faults that each attempt is given.
final class FakeBench: @unchecked Sendable {
    // Sendable: a test's, on one thread.

    let clock = FakeClock()
    let live = LiveCount()
    /// Of the device's attempt of this number, from 0; a device for each element.
    private let devices: [(Int) -> FakeDecoder.Faults]
    /// What was said of the stream's pictures, with each of `openings`.
    private(set) var sizes: [DecoderNeed.Size?] = []
    /// Paths in the order in which they were opened.
    private(set) var openings: [String] = []
    /// Calls of all devices.
    var calls: Int { opened.map(\.calls).reduce(0, +) }
    private(set) var opened: [FakeDecoder] = []

    init(_ devices: [(Int) -> FakeDecoder.Faults]) { self.devices = devices }

    private(set) lazy var pool = DecoderPool(
        DecoderInventory(
            devices: devices.indices.map { number in
                DecoderDevice(
                    path: "/dev/fake\(number)", driver: "fake",
                    streams: VideoCoding.allCases.map { .init($0, $0.stateful) })
            })
    ) { [unowned self] (device, coding, terms) throws(DecoderFault) -> any DeviceDecoder in
        try open(device, decoding: coding, terms)
    }

    private func open(
        _ device: String, decoding coding: VideoCoding, _ terms: DecoderTerms
    ) throws(DecoderFault) -> any DeviceDecoder {
        let attempt = openings.count { $0 == device }
        openings.append(device)
        sizes.append(terms.size)
        guard let index = devices.indices.first(where: { device == "/dev/fake\($0)" }) else { throw .gone }
        let fake = FakeDecoder(devices[index](attempt), of: coding.stateful, clock: clock, live: live)
        opened.append(fake)
        let clock = clock
        return try HardwareDecoder(
            fake, decoding: coding.stateful, size: terms.size, codedBuffers: terms.codedBuffers,
            sparePictures: terms.sparePictures, patience: terms.patience, mostInVain: terms.mostInVain,
            clock: { clock.now })
    }
}
