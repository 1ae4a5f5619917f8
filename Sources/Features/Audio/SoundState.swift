// SPDX-License-Identifier: Apache-2.0
import Hosting
import Mixing
import Shapes

/// The sound of a region, or of the mix of all. It is the answer of the commands and the event of a change.
struct SoundState: FeatureEvent {
    let volume: Int
    let isMuted: Bool
    /// nil for the mix of all regions.
    let region: String?

    init(_ sound: RegionSound, of region: String?) {
        volume = sound.level
        isMuted = sound.isMuted
        self.region = region
    }

    static let about = EventAbout(.sound, "volume", "Volume or muting has changed.")
    static let shape = Shape<Self>([
        .value("volume", \.volume, .integer(0...100), "0...100"),
        .value("isMuted", \.isMuted, .boolean, "whether it is silent"),
        .unlessNil("region", \.region, .text, "of which; absent: of all together"),
    ])
}
