// SPDX-License-Identifier: Apache-2.0
import System
import Time

extension HardwareDecoder {
    /// - Parameters:
    ///   - path: of a device that `DecoderInventory` lists.
    ///   - sparePictures: how many its readers may keep at a time.
    public convenience init(
        opening path: String, decoding format: FourCC, size: DecoderNeed.Size? = nil, codedBuffers: Int = 4,
        sparePictures: Int = 4, patience: Nanoseconds = HardwareDecoder.patience, mostInVain: Int? = nil
    ) throws(DecoderFault) {
        let node: VideoNode
        do throws(SystemCallError) { node = try VideoNode(opening: path) } catch { throw DecoderFault(error) }
        try self.init(
            node, decoding: format, size: size, codedBuffers: codedBuffers, sparePictures: sparePictures,
            patience: patience, mostInVain: mostInVain)
    }
}
