// SPDX-License-Identifier: Apache-2.0
import Media

/// How a plane interprets YCbCr: the names of the values of `COLOR_ENCODING` and `COLOR_RANGE`
/// (drm_plane_create_color_properties).
struct PlaneColour: Hashable, Sendable {
    /// How a plane without these properties is assumed to interpret YCbCr.
    static let unconfigured = PlaneColour(matrix: .bt601, isFullRange: false)

    let encoding: String
    let range: String

    init(matrix: VideoFrame.Matrix, isFullRange: Bool) {
        encoding =
            switch matrix {
            case .bt601: "ITU-R BT.601 YCbCr"
            case .bt709: "ITU-R BT.709 YCbCr"
            case .bt2020: "ITU-R BT.2020 YCbCr"
            }
        range = isFullRange ? "YCbCr full range" : "YCbCr limited range"
    }

    /// The colours of a picture. If the stream does not state them, `matrix` holds the decoder's assumption.
    init(_ frame: borrowing VideoFrame) {
        self.init(matrix: frame.matrix, isFullRange: frame.isFullRange || frame.format == .yuvj420p)
    }
}
