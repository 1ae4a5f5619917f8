// SPDX-License-Identifier: Apache-2.0
import Shapes

/// `GET /v1/picture`: what is on the screen as a row of JPEG pictures, which no other interface has.
public struct PictureQuery: Hashable, Sendable {
    /// Pictures, at most.
    public var perSecond: Int

    public init(perSecond: Int = 10) { self.perSecond = perSecond }

    public static let fields = [
        FieldDescription.option("fps", .integer(1...25), "Pictures a second at most; absent: 10.")
    ]
}
