// SPDX-License-Identifier: Apache-2.0
import Radio
import Venue

/// The radios of the box as its other parts read them. The feature WiFi publishes it once a second.
/// - Thread: the control loop's only.
public final class RadioView {
    public private(set) var radios: [RadioState] = []

    public init() {}

    public func publish(_ radios: [RadioState]) { self.radios = radios }

    /// How good the radio link is by which the box receives: 0 is none, 10 excellent. nil if no radio is associated, or a
    /// wire carries packets as well, by which it may receive.
    /// - Parameter uplinks: those that the service may use.
    public func linkScore(of uplinks: [Uplink]) -> Int? {
        let working = uplinks.filter(\.isUp)
        guard !working.contains(where: { $0.kind == .wired }) else { return nil }
        return radios.first { radio in radio.isAssociated && working.contains { $0.name == radio.name } }?.linkScore
    }
}
