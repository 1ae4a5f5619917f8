// SPDX-License-Identifier: Apache-2.0

/// Counters of the thread of the moving picture since it started. `viewers` is the present number.
struct PictureCounters: Sendable, Hashable {
    var viewers: Int64 = 0
    var picturesTaken: Int64 = 0
    var picturesEncoded: Int64 = 0
    var octetsEncoded: Int64 = 0
    var encodeErrors: Int64 = 0
}
