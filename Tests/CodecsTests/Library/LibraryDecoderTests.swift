// SPDX-License-Identifier: Apache-2.0
import CLibAVCodec
import Media
import TestSupport
import Testing

@testable import Codecs

/// Devices that libavcodec drives, where there is none: what it would choose, and how that ends.
@Suite struct LibraryDecoderTests {
    private let units: [(unit: AccessUnit, bytes: [UInt8])]

    init() throws { units = Vector.accessUnits(try Vector.bytes("forward.h264")) }

    private static func device(_ path: String, _ kind: DecoderDevice.Kind) -> DecoderDevice {
        DecoderDevice(path: path, driver: "d", kind: kind, streams: [.init(.h264, VideoCoding.h264.stateful)])
    }

    @Test(arguments: [VideoCoding.h264, .hevc, .mpeg2Video]) func libavcodecHasAWay(coding: VideoCoding) {
        // Debian builds it with VAAPI for each architecture.
        #expect(LibraryWay.all(for: coding).contains { $0.device == AV_HWDEVICE_TYPE_VAAPI })
    }

    @Test func ofTheKernelsTestCodecItHasNone() { #expect(LibraryWay.all(for: .fwht).isEmpty) }

    @Test func whatIsNoDeviceIsNotFound() {
        #expect(DecoderDevice(library: "/dev/null") == nil)
        #expect(DecoderDevice(library: "/nowhere") == nil)
        #expect(
            thrown(DecoderFault.self) {
                try LibraryDecoder(opening: "/dev/null", decoding: .h264, sparePictures: 4)
            } == .noDevice(VideoCoding.h264.stateful))
    }

    /// libavcodec offers the device's pictures first, then finds that there is no device.
    @Test func aDriverThatDoesNotTakeTheStreamHasItsName() throws {
        let way = try #require(LibraryWay.all(for: .h264).first)
        let decoder = try LibraryDecoder(way, nil, decoding: .h264, sparePictures: 4)
        let fault = thrown(DecoderFault.self) {
            for (unit, bytes) in units {
                _ = try bytes.withUnsafeBytes { try decoder.offer($0, of: unit) }
                while try decoder.take() != nil {}
            }
        }
        #expect(fault == .refusedFormat(VideoCoding.h264.stateful))
        #expect(thrown(DecoderFault.self) { try decoder.take() != nil } == .gone)
        #expect(thrown(DecoderFault.self) { try decoder.flush() } == .gone)
        decoder.close()
    }

    /// The whole ladder, from a device that was listed and is none.
    @Test func softwareTakesOver() throws {
        let pool = DecoderPool(DecoderInventory(devices: [Self.device("/dev/null", .library)]))
        var openings: [LadderDecoder.Opening] = []
        let ladder = LadderDecoder(pool) { openings.append($0) }
        ladder.begin(.h264)
        var times: [Int64] = []
        for (unit, bytes) in units {
            try bytes.withUnsafeBytes { try ladder.send(unit, $0) }
            while let frame = try ladder.receive() { times.append(frame.pts) }
        }
        try ladder.drain()
        while let frame = try ladder.receive() { times.append(frame.pts) }
        #expect(times == units.map(\.unit.pts))
        let reason = "hardware: no device"
        #expect(openings.map(\.tier) == [.software] && openings.map(\.reason) == [reason])
        #expect(openings.first?.detail == "/dev/null: no device decodes H264")
    }

    @Test func theKernelsDevicesComeFirst() throws {
        let pool = DecoderPool(
            DecoderInventory(devices: [Self.device("/dev/a", .library), Self.device("/dev/b", .stateful)]))
        let places = [try pool.place(for: DecoderNeed(.h264)).get(), try pool.place(for: DecoderNeed(.h264)).get()]
        #expect(places.map(\.path) == ["/dev/b", "/dev/b"])
        #expect(try pool.place(for: DecoderNeed(.h264), excluding: ["/dev/b"]).get().path == "/dev/a")
    }
}
