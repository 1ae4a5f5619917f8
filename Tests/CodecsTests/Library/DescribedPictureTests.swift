// SPDX-License-Identifier: Apache-2.0
import CLibAVCodec
import Media
import TestSupport
import Testing

@testable import Codecs

/// libavutil's descriptions of pictures, as drivers give them.
@Suite struct DescribedPictureTests {
    private static let r8 = FourCC("R8  ").rawValue
    private static let gr88 = FourCC("GR88").rawValue

    private static func plane(_ object: Int32, _ offset: Int, _ pitch: Int) -> AVDRMPlaneDescriptor {
        AVDRMPlaneDescriptor(object_index: object, offset: offset, pitch: pitch)
    }

    /// As for VAAPI: a layer for each plane, in one object or two.
    private static func layered(objects: Int32 = 1) -> AVDRMFrameDescriptor {
        var description = AVDRMFrameDescriptor()
        description.nb_objects = objects
        description.objects.0 = AVDRMObjectDescriptor(fd: 7, size: 1 << 20, format_modifier: 2)
        description.objects.1 = AVDRMObjectDescriptor(fd: 8, size: 1 << 20, format_modifier: 2)
        description.nb_layers = 2
        (description.layers.0.format, description.layers.0.nb_planes) = (r8, 1)
        description.layers.0.planes.0 = plane(0, 0, 2_048)
        (description.layers.1.format, description.layers.1.nb_planes) = (gr88, 1)
        description.layers.1.planes.0 = plane(objects - 1, 4_096, 2_048)
        return description
    }

    private static func whole(_ format: FourCC, _ planes: Int32) -> AVDRMFrameDescriptor {
        var description = AVDRMFrameDescriptor()
        (description.nb_objects, description.nb_layers) = (1, 1)
        description.objects.0 = AVDRMObjectDescriptor(fd: 7, size: 1 << 20, format_modifier: 0x00FF_FFFF_FFFF_FFFF)
        (description.layers.0.format, description.layers.0.nb_planes) = (format.rawValue, planes)
        description.layers.0.planes = (plane(0, 0, 64), plane(0, 640, 32), plane(0, 960, 32), plane(0, 0, 0))
        return description
    }

    private static func shared(
        _ description: AVDRMFrameDescriptor, _ samples: VideoFrame.PixelFormat = .nv12
    ) -> SharedPicture? { SharedPicture(description, of: samples, width: 64, height: 10) }

    @Test func layersOfOnePlaneAreOnePicture() throws {
        let picture = try #require(Self.shared(Self.layered()))
        #expect(picture.fourCC == FourCC("NV12").rawValue && picture.modifier == 2)
        #expect(picture.width == 64 && picture.height == 10)
        #expect(picture.planes.map(\.descriptor) == [7, 7] && picture.planes.map(\.offset) == [0, 4_096])
        #expect(try #require(Self.shared(Self.layered(objects: 2))).planes.map(\.descriptor) == [7, 8])
        #expect(Self.shared(Self.layered(), .p010)?.fourCC == FourCC("P010").rawValue)
        #expect(Self.shared(Self.layered(), .nv21)?.fourCC == FourCC("NV21").rawValue)
    }

    @Test func aLayerMayHoldItAll() throws {
        let picture = try #require(Self.shared(Self.whole(FourCC("YU12"), 3), .yuv420p))
        #expect(picture.planes.map(\.offset) == [0, 640, 960] && picture.planes.map(\.pitch) == [64, 32, 32])
        #expect(picture.modifier == nil)
        #expect(Self.shared(Self.whole(.nv12, 2)) != nil)
        // Not what its samples are said to be.
        #expect(Self.shared(Self.whole(FourCC("NV16"), 2)) == nil)
        #expect(Self.shared(Self.whole(.nv12, 3)) == nil)
        #expect(Self.shared(Self.whole(.nv12, 2), .yuv422p) == nil)
    }

    @Test func modifiersThatDifferAreNoPicture() {
        var description = Self.layered(objects: 2)
        description.objects.1.format_modifier = 1
        #expect(Self.shared(description) == nil)
    }

    /// Whatever a driver writes into it.
    @Test func mutation() {
        var random = SplitMix64(seed: 6)
        let size = MemoryLayout<AVDRMFrameDescriptor>.size
        for _ in 0..<Effort.scaled(20_000) {
            var description = Self.layered(objects: 1 + Int32(random.next() & 1))
            withUnsafeMutableBytes(of: &description) { bytes in
                for _ in 0...random.next() % 4 {
                    bytes[Int(random.next() % UInt64(size))] = UInt8(truncatingIfNeeded: random.next())
                }
            }
            guard let picture = Self.shared(description) else { continue }
            #expect(picture.planes.count == 2 && picture.planes.allSatisfy { $0.descriptor >= 0 })
        }
    }
}
