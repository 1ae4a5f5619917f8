// SPDX-License-Identifier: Apache-2.0
import Hosting
import Shapes

/// The event that memory for histories was short when a session was opened.
public struct HistoryCut: FeatureEvent {
    public let session: Int
    let channel: String
    let wanted, granted: Int
    let shed: [String]
    var region: String?

    /// - Parameters:
    ///   - wanted: octets of the history that the settings say.
    ///   - granted: octets that it has got.
    ///   - shed: names of channels that were kept and are no longer received.
    public init(session: Int, channel: String, wanted: Int, granted: Int, shed: [String]) {
        (self.session, self.channel, self.wanted, self.granted, self.shed) = (session, channel, wanted, granted, shed)
    }

    private var wantedMB: Int { wanted / 1_000_000 }
    private var grantedMB: Int { granted / 1_000_000 }

    public static let about = EventAbout(.session, "historyCut", "Memory for histories was short when it was opened.")
    public static let shape = Shape<Self>([
        .ofSession(\.session), .value("channel", \.channel, .text, "its channel"),
        .value("wantedMB", \.wantedMB, .integer, "of its history, as the settings say"),
        .value("grantedMB", \.grantedMB, .integer, "of its history, as it is"),
        .value("shed", \.shed, .list(of: .text), "channels that are no longer kept for it"),
        .inRegion(\.region),
    ])
}
