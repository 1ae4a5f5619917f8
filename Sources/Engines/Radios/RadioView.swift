// SPDX-License-Identifier: Apache-2.0
import Radio

/// The radios and wires of the box as its other parts read them. The feature WiFi publishes it once a second.
/// - Thread: the control loop's only.
public final class RadioView {
    public private(set) var radios: [RadioState] = []
    public private(set) var links: [LinkFigures] = []

    public init() {}

    public func publish(_ radios: [RadioState], links: [LinkFigures]) {
        self.radios = radios
        self.links = links
    }

    /// How good the radio link is by which the box receives: 0 is none, 10 excellent. nil if no radio is associated, or a
    /// wire carries packets as well, by which it may receive.
    public var linkScore: Int? {
        guard let radio = radios.first(where: \.isAssociated) else { return nil }
        let names = Set(radios.map(\.name))
        let hasWire = links.contains { $0.hasCarrier && $0.isHardware && !names.contains($0.name) }
        return hasWire ? nil : radio.linkScore
    }
}
