// SPDX-License-Identifier: Apache-2.0
import Statistics

extension PictureCounters {
    /// Statistics of the thread of the moving picture.
    static let statistics: [Statistic<Self>] = [
        .gauge("viewers", \.viewers, "viewers", "Viewers of the moving picture."),
        .counter("picturesTaken", \.picturesTaken, "pictures", "Copies that the render thread made of the stage."),
        .counter(
            "picturesEncoded", \.picturesEncoded, "pictures", "Pictures that were encoded for the moving picture."),
        .counter("octetsEncoded", \.octetsEncoded, .octets, "Octets of these pictures."),
        .counter("encodeErrors", \.encodeErrors, "errors", "Pictures that could not be encoded.", .fault),
    ]
}
