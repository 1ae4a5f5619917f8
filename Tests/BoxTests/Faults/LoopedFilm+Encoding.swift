// SPDX-License-Identifier: Apache-2.0
import Bytes
import Codecs
import Media
import TransportStream

extension LoopedFilm {
    /// A second of H.264 of this size, without sound.
    init(width: Int, height: Int, version: UInt8) throws {
        var settings = VideoEncoder.Settings(
            width: width, height: height, rate: (25, 1), gop: 12, kilobitsPerSecond: 400)
        settings.isLowDelay = true
        var encoder = try VideoEncoder(settings)
        var layout = TSMultiplexer.Layout(provider: "Venue", name: "Film")
        layout.audioPID = nil
        var multiplexer = TSMultiplexer(layout)
        let picture = PictureBuffer(width: width, height: height)
        var out = WireWriter()
        for number in 0..<25 as Range<Int64> {
            for place in picture.bytes.indices {
                picture.bytes[place] = UInt8(truncatingIfNeeded: place / 3 + Int(number) * 4) / 2 + 40
            }
            let clock = number * Self.picture
            try encoder.encode(picture) { unit in
                let pts = clock / 300 + 9_000
                multiplexer.writeVideo(unit.bytes, pts: pts, isRandomAccess: unit.isKey, clock: clock, to: &out)
            }
            for step in 1..<4 as Range<Int64> {
                multiplexer.writeDue(clock: clock + step * Self.picture / 4, to: &out)
            }
        }
        self.init(out.bytes, version: version)
    }
}
