// SPDX-License-Identifier: Apache-2.0
import Media

/// What a plane that shows YCbCr is told of its samples: the names of the values of two of its properties, which are
/// enumerations (drm_plane_create_color_properties).
struct PlaneColour: Hashable, Sendable {
    /// What a plane without these properties shows.
    static let silent = PlaneColour(matrix: .bt601, isFullRange: false)

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

    /// Of a picture, whatever is assumed of one that does not say.
    init(_ frame: borrowing VideoFrame) {
        self.init(matrix: frame.matrix, isFullRange: frame.isFullRange || frame.format == .yuvj420p)
    }
}
