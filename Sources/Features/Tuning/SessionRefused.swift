// SPDX-License-Identifier: Apache-2.0
import Hosting
import Playback
import Shapes

/// The event that something is not played because a limit would be exceeded (SVM-38, 42).
struct SessionRefused: FeatureEvent {
    let refusal: RegionDirectory.Refusal

    static let about = EventAbout(
        .session, "refused", "Something is not played: too many sessions, or too much bandwidth.")
    static let shape = Shape<Self>([
        .value("what", \.refusal.what, .text, "name of the channel, playlist, layout or strategy"),
        .value("why", \.refusal.why, .text, "the reason, with what there would be and the limit"),
        .unlessNil("region", \.refusal.region, .text, "where it was to play; absent: in several, or in a new one"),
    ])
}
