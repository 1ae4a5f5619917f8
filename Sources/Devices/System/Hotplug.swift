// SPDX-License-Identifier: Apache-2.0

/// A uevent that concerns displays or sound.
public enum Hotplug: Hashable, Sendable {
    /// A display was connected, disconnected or replaced. The connector must be read again, or all connectors of the
    /// card if none is named.
    /// - card: its device node below /dev, as in "dri/card0".
    /// - property: object id of the property that changed, such as the link status or content protection.
    case screen(card: String, connector: UInt32?, property: UInt32?)
    case graphicsCard(String, isThere: Bool)
    /// A sound card appeared with all its PCMs, or disappeared. udev decides later who may open it.
    case soundCard(Int, isThere: Bool)

    /// nil if the event concerns neither displays nor sound.
    public init?(_ event: Uevent) {
        switch event.subsystem {
        case "drm":
            // This excludes connectors, which are devices of their own, and render nodes.
            guard let card = event.properties["DEVNAME"], card.hasPrefix("dri/card") else { return nil }
            switch event.action {
            case .add: self = .graphicsCard(card, isThere: true)
            case .remove: self = .graphicsCard(card, isThere: false)
            case .change where event.properties["HOTPLUG"] == "1":
                self = .screen(card: card, connector: event.id("CONNECTOR"), property: event.id("PROPERTY"))
            default: return nil
            }
        case "sound":
            // The control device is the last of a card's devices to be registered and the first to be unregistered.
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
