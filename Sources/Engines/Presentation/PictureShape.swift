// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// The properties of a picture that determine its place.
struct PictureShape: Equatable {
    let size: PixelSize
    let aspectWidth: Int
    let aspectHeight: Int

    init(_ frame: borrowing VideoFrame) {
        size = PixelSize(width: frame.width, height: frame.height)
        aspectWidth = frame.pixelAspect.width
        aspectHeight = frame.pixelAspect.height
    }
}
