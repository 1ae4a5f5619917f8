// SPDX-License-Identifier: Apache-2.0
import Hosting
import Shapes

/// The event that an interface begins or ceases to carry packets.
struct LinkChanged: FeatureEvent {
    let interface: String
    let isUp: Bool

    static let about = EventAbout(.network, "link", "An interface carries packets, or does so no longer.")
    static let shape = Shape<Self>([
        .value("interface", \.interface, .text, "its name"),
        .value("isUp", \.isUp, .boolean, "whether it has a carrier; of WiFi: associated and let in"),
    ])
}
