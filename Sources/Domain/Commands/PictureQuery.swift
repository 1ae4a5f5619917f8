// SPDX-License-Identifier: Apache-2.0
import Shapes

/// The query of `GET /v1/picture`, which streams the screen as JPEG pictures. Only HTTP offers it.
public struct PictureQuery: Hashable, Sendable {
    /// The most pictures in a second.
    public var perSecond: Int

    public init(perSecond: Int = 10) { self.perSecond = perSecond }

    public static let fields = [
        FieldDescription.option("fps", .integer(1...25), "Pictures a second at most; absent: 10.")
    ]
}
