// SPDX-License-Identifier: Apache-2.0
import Media
import System
import Time

/// The decoders of this machine.
public enum DecoderSearch {
    public struct Found: Hashable, Sendable {
        public let path: String
        /// As its driver calls it.
        public let card: String
        public let formats: [FourCC]
    }

    private static let paths = (0..<64).map { "/dev/video\($0)" }

    /// Memory-to-memory devices that take one of the streams that we know. Opens each node for as long as it looks.
    public static func all() -> [Found] {
        let known = Set(Codec.allCases.compactMap { FourCC($0) } + [FourCC.fwht])
        return paths.compactMap { path in
            // Not there, not ours, or no such device: nothing of it would be of use.
            guard let node = try? VideoNode(opening: path) else { return nil }
            let formats = node.formats(of: .coded).map(\.format).filter { known.contains($0) }
            return formats.isEmpty ? nil : Found(path: path, card: node.card, formats: formats)
        }
    }
}

extension HardwareDecoder {
    /// - Parameters:
    ///   - path: of a device that `DecoderSearch` found.
    ///   - sparePictures: how many its readers may keep at a time.
    public convenience init(
        opening path: String, decoding format: FourCC, codedBuffers: Int = 4, sparePictures: Int = 4,
        patience: Nanoseconds = HardwareDecoder.patience
    ) throws(DecoderFault) {
        let node: VideoNode
        do throws(SystemCallError) { node = try VideoNode(opening: path) } catch { throw DecoderFault(error) }
        try self.init(
            node, decoding: format, codedBuffers: codedBuffers, sparePictures: sparePictures, patience: patience)
    }
}
