// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec
import Media

extension SharedPicture {
    /// Made from libavutil's description (`hwcontext_drm.h`), whose layers are either the whole picture or one plane
    /// each.
    /// - Parameters:
    ///   - samples: pixel format of the picture.
    ///   - width: coded width in pixels.
    /// - Returns: nil if the description is inconsistent or does not match `samples`.
    init?(_ description: AVDRMFrameDescriptor, of samples: VideoFrame.PixelFormat, width: Int, height: Int) {
        let objects = Self.elements(description.objects, description.nb_objects)
        let layers = Self.elements(description.layers, description.nb_layers)
        guard let fourCC = samples.fourCC, let first = objects.first, !layers.isEmpty,
            objects.allSatisfy({ $0.format_modifier == first.format_modifier }),
            layers.count > 1 || layers[0].format == fourCC
        else { return nil }
        var planes: [Plane] = []
        for part in layers.flatMap({ Self.elements($0.planes, $0.nb_planes) }) {
            guard objects.indices.contains(Int(part.object_index)), let offset = UInt32(exactly: part.offset),
                let pitch = UInt32(exactly: part.pitch)
            else { return nil }
            planes.append(Plane(descriptor: objects[Int(part.object_index)].fd, offset: offset, pitch: pitch))
        }
        guard planes.count == samples.planeCount, planes.allSatisfy({ $0.descriptor >= 0 }) else { return nil }
        self.init(
            width: width, height: height, fourCC: fourCC,
            // DRM_FORMAT_MOD_INVALID
            modifier: first.format_modifier == 0x00FF_FFFF_FFFF_FFFF ? nil : first.format_modifier, planes: planes)
    }

    /// - Parameter array: a C array of AV_DRM_MAX_PLANES elements.
    /// - Returns: empty if the count is out of range.
    private static func elements<Element>(
        _ array: (Element, Element, Element, Element), _ count: Int32
    ) -> [Element] {
        guard (0...4).contains(count) else { return [] }
        return Array([array.0, array.1, array.2, array.3].prefix(Int(count)))
    }
}
