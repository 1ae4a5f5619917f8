// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Codecs

/// What the kernel's `vicodec` says of itself, spoken to by either interface.
@Suite(.serialized, .enabled(if: Guest.isHere)) struct GuestInventoryTests {
    private static func device(_ name: String) throws -> DecoderDevice {
        let path = try #require(Guest.videoNode(named: name))
        return try #require(DecoderInventory.read().devices.first { $0.path == path })
    }

    @Test func theStatefulDecoder() throws {
        let device = try Self.device("stateful-decoder")
        print("FWHT decoder: \(device)")
        let node = try VideoNode(opening: device.path)
        #expect(device.driver == "vicodec" && device.kind == .stateful && device.isMultiPlanar == node.isMulti)
        #expect(device.streams.map(\.coding) == [.fwht] && device.streams.map(\.format) == [.fwht])
        #expect(device.streams.first?.sizes == FrameSizes(width: 640...4_096, height: 360...2_160))
        #expect(device.streams.first?.profiles == [] && device.streams.first?.levels == [])
        #expect(device.pictures.contains(.nv12) && device.pictures.contains(.yuv420) && device.pictures.count >= 20)
    }

    @Test func theStatelessDecoder() throws {
        let device = try Self.device("stateless-decoder")
        #expect(device.kind == .stateless && device.streams.map(\.format) == [VideoCoding.fwht.stateless])
        // Asked by the other interface, it would list none.
        #expect(device.pictures.contains(.nv12))
    }

    /// Nor what is no decoder.
    @Test func theEncoderIsNone() throws {
        let path = try #require(Guest.videoNode(named: "stateful-encoder"))
        #expect(!DecoderInventory.read().devices.contains { $0.path == path })
    }

    @Test func aSessionHasAPlace() throws {
        let inventory = DecoderInventory.read()
        let pool = DecoderPool(inventory, limits: DecoderLimits(devices: [.init(driver: "vicodec", instances: 1)]))
        let need = DecoderNeed(.fwht, size: .init(width: 1_280, height: 720), picturesPerSecond: 25)
        let place = try pool.place(for: need).get()
        #expect(place.path == Guest.videoNode(named: "stateful-decoder"))
        guard case .failure(let refusal) = pool.place(for: need) else {
            Issue.record("two sessions where there is room for one")
            return
        }
        #expect(refusal.description == "hardware: all 1 sessions in use")
    }

    /// Asked a hundred times, it leaves nothing open.
    @Test func askingLeavesNothingBehind() throws {
        func open() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        let (first, before) = (DecoderInventory.read(), try open())
        for _ in 0..<100 { #expect(DecoderInventory.read() == first) }
        #expect(try open() == before)
    }
}
