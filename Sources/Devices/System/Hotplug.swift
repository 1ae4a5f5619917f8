// SPDX-License-Identifier: Apache-2.0

/// What of the kernel's events concerns pictures and sound.
public enum Hotplug: Hashable, Sendable {
    /// A screen came, went, or is another: read its connector again, or all of the card's when none is named.
    /// - card: its node below /dev, "dri/card0".
    /// - property: the one that changed, by its object id: of a link that has gone bad, or of copy protection.
    case screen(card: String, connector: UInt32?, property: UInt32?)
    case graphicsCard(String, isThere: Bool)
    /// A sound card with all its PCMs came, or went. Who may open it is decided later, by udev.
    case soundCard(Int, isThere: Bool)

    /// Nil for what concerns neither.
    public init?(_ event: Uevent) {
        switch event.subsystem {
        case "drm":
            // Without the connectors, which are devices of their own, and what only draws.
            guard let card = event.properties["DEVNAME"], card.hasPrefix("dri/card") else { return nil }
            switch event.action {
            case .add: self = .graphicsCard(card, isThere: true)
            case .remove: self = .graphicsCard(card, isThere: false)
            case .change where event.properties["HOTPLUG"] == "1":
                self = .screen(card: card, connector: event.id("CONNECTOR"), property: event.id("PROPERTY"))
            default: return nil
            }
        case "sound":
            // Of a card's devices the control is registered last, and unregistered first.
            let name = event.path.split(separator: "/").last ?? ""
            guard name.hasPrefix("controlC"), let card = event.number(name.dropFirst(8)) else { return nil }
            switch event.action {
            case .add: self = .soundCard(card, isThere: true)
            case .remove: self = .soundCard(card, isThere: false)
            default: return nil
            }
        default: return nil
        }
    }
}

extension Uevent {
    fileprivate func id(_ key: String) -> UInt32? {
        guard let id = properties[key].flatMap({ UInt32($0) }), id > 0 else { return nil }
        return id
    }

    fileprivate func number(_ digits: Substring) -> Int? {
        (1...3).contains(digits.utf8.count) && digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits) : nil
    }
}
