// SPDX-License-Identifier: Apache-2.0
import System
import Time

extension HardwareDecoder {
    /// - Parameters:
    ///   - path: path of a device that `DecoderInventory` lists.
    ///   - sparePictures: number of pictures that readers may keep at a time.
    public convenience init(
        opening path: String, decoding format: FourCC, size: DecoderNeed.Size? = nil, codedBuffers: Int = 4,
        sparePictures: Int = 4, patience: Nanoseconds = HardwareDecoder.patience, mostInVain: Int? = nil
    ) throws(DecoderFault) {
        try self.init(
            try Self.node(path), decoding: format, size: size, codedBuffers: codedBuffers,
            sparePictures: sparePictures, patience: patience, mostInVain: mostInVain)
    }

    /// Opens the device as if `pictures` were its only pixel format, for tests.
    package convenience init(
        opening path: String, decoding format: FourCC, pictures: FourCC?, codedBuffers: Int, sparePictures: Int
    ) throws(DecoderFault) {
        let node = try Self.node(path)
        node.onlyPictures = pictures
        try self.init(node, decoding: format, codedBuffers: codedBuffers, sparePictures: sparePictures)
    }

    private static func node(_ path: String) throws(DecoderFault) -> VideoNode {
        do throws(SystemCallError) { return try VideoNode(opening: path) } catch { throw DecoderFault(error) }
    }
}
