// SPDX-License-Identifier: Apache-2.0
import Media
import Testing

@testable import Codecs

@Suite struct SharedPictureTests {
    private static func memory(_ descriptors: [CInt?]) -> DeviceMemory {
        nonisolated(unsafe) let planes = descriptors.map {
            DeviceMemory.Plane(
                descriptor: $0, bytes: UnsafeMutableRawBufferPointer.allocate(byteCount: 656 * 368 * 2, alignment: 64))
        }
        return DeviceMemory(planes) { for plane in planes { plane.bytes.deallocate() } }
    }

    private static func format(_ code: FourCC, planes: Int) throws -> PictureFormat {
        let plane = V4L2Format.Plane(stride: 656, octets: 656 * 368 * 2)
        return try PictureFormat(
            V4L2Format(format: code, width: 656, height: 368, planes: Array(repeating: plane, count: planes)),
            area: V4L2Rectangle(left: 4, top: 2, width: 640, height: 360), aspect: nil)
    }

    /// The whole coded picture, for only its rows are where its chroma is counted from.
    @Test func oneBufferIsAPlaneForEach() throws {
        let shared = try #require(try Self.format(FourCC("NV12"), planes: 1).shared(in: Self.memory([7])))
        #expect(shared.summary == "NV12 656x368")
        #expect((shared.left, shared.top) == (4, 2))
        #expect(shared.modifier == nil)
        #expect(
            shared.planes == [
                SharedPicture.Plane(descriptor: 7, offset: 0, pitch: 656),
                SharedPicture.Plane(descriptor: 7, offset: 656 * 368, pitch: 656),
            ])
    }

    /// One name for planes in either order, and for one buffer or three.
    @Test func planarIsOneFormat() throws {
        let swapped = try #require(try Self.format(FourCC("YV12"), planes: 1).shared(in: Self.memory([7])))
        #expect(swapped.summary == "YU12 656x368")
        #expect(swapped.planes.map(\.offset) == [0, 301_760, 241_408] as [UInt32])
        let apart = try #require(try Self.format(FourCC("YM12"), planes: 3).shared(in: Self.memory([7, 8, 9])))
        #expect(apart.summary == "YU12 656x368")
        #expect(apart.planes.map(\.descriptor) == [7, 8, 9])
        #expect(apart.planes.map(\.offset) == [0, 0, 0])
        #expect(apart.identity != swapped.identity)
    }

    /// And the same for pairs of chroma: in memory as a plane is told.
    @Test func redFirst() throws {
        for (code, count) in [(FourCC("NV21"), 1), (FourCC("NM21"), 2)] {
            let format = try Self.format(code, planes: count)
            let shared = try #require(format.shared(in: Self.memory([7, 8])))
            #expect(shared.summary == "NV21 656x368" && format.layout.samples == .nv21)
            #expect(shared.planes.map(\.descriptor) == (count == 1 ? [7, 7] : [7, 8]))
            #expect(shared.planes.map(\.pitch) == [656, 656])
        }
        let apart = try #require(try Self.format(FourCC("YM21"), planes: 3).shared(in: Self.memory([7, 8, 9])))
        #expect(apart.summary == "YU12 656x368" && apart.planes.map(\.descriptor) == [7, 9, 8])
    }

    @Test func whatIsNotExportedIsNotShared() throws {
        let part = try Self.format(FourCC("NM12"), planes: 2).shared(in: Self.memory([7, nil]))
        #expect(part == nil)
    }
}
