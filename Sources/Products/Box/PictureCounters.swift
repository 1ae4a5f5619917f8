// SPDX-License-Identifier: Apache-2.0

/// What the thread of the moving picture has counted since it started; `viewers` is a value.
struct PictureCounters: Sendable, Hashable {
    var viewers: Int64 = 0
    /// Copies that the render thread made of the stage, files and moving picture together.
    var picturesTaken: Int64 = 0
    /// For the moving picture; the rest was the same as before, or a file.
    var picturesEncoded: Int64 = 0
    var octetsEncoded: Int64 = 0
    var encodeErrors: Int64 = 0
}
