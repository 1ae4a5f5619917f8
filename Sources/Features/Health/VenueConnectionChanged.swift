// SPDX-License-Identifier: Apache-2.0
import Hosting
import Shapes

/// The event that the box came into its venue or left it (SVM-98).
struct VenueConnectionChanged: FeatureEvent {
    let isConnectedToVenue: Bool

    static let about = EventAbout(.venue, "connection", "The box came into its venue or left it.")
    static let shape = Shape<Self>([
        .value(
            "isConnectedToVenue", \.isConnectedToVenue, .boolean,
            "whether licensed channels of license.venueName are heard")
    ])
}
