// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A card and its connectors, as they were when they were read.
struct CardSnapshot: Sendable {
    let device: any KMSDevice
    var connectors: [KMSConnector]
    /// Whether the kernel had announced a change.
    let isHotplug: Bool
    /// The planes that may be used; all planes of the card unless its screens divide them.
    var planes: [KMSPlane]

    init(device: any KMSDevice, connectors: [KMSConnector], isHotplug: Bool) {
        self.device = device
        self.connectors = connectors
        self.isHotplug = isHotplug
        planes = device.planes
    }
}

/// Finds the card with a display and reads its connectors.
public struct CardSearch: Sendable {
    private let paths: [String]
    private let open: @Sendable (String) throws(DisplayError) -> any KMSDevice
    private var device: (any KMSDevice)?

    /// Searches the cards of this machine.
    public init() { self.init(paths: (0..<16).map { "/dev/dri/card\($0)" }) }

    init(
        paths: [String],
        open: @escaping @Sendable (String) throws(DisplayError) -> any KMSDevice = {
            path throws(DisplayError) -> any KMSDevice in
            try AtomicCard(opening: path)
        }
    ) {
        self.paths = paths
        self.open = open
    }

    /// Reads what the kernel knows about the card found before, without probing.
    /// - Throws: if the card is gone.
    func readCached() throws(DisplayError) -> CardSnapshot {
        guard let device else { throw .missing("a card in /dev/dri") }
        return CardSnapshot(device: device, connectors: try device.readConnectors(probes: false), isHotplug: false)
    }

    /// Probes the displays of the card found before. If it has none, takes the first card with a display, or else the
    /// first card.
    /// - Parameter connector: the only connector that counts; nil for any.
    /// - Throws: why no card can be used.
    mutating func probe(for connector: String?, isHotplug: Bool = false) throws(DisplayError) -> CardSnapshot {
        var best: CardSnapshot?
        var why: DisplayError?
        // Without privileges a process becomes master only by opening a card that has none, so a card of which this
        // process is not master is opened again.
        if let held = device, !held.becomeMaster() { device = nil }
        if let device {
            do throws(DisplayError) {
                best = CardSnapshot(
                    device: device, connectors: try device.readConnectors(probes: true), isHotplug: isHotplug)
            } catch {
                why = error
                self.device = nil
            }
        }
        for path in paths where best.map({ !$0.hasScreen(connector) }) ?? true && path != best?.device.name {
            do throws(DisplayError) {
                let other = try open(path)
                let snapshot = CardSnapshot(
                    device: other, connectors: try other.readConnectors(probes: true), isHotplug: isHotplug)
                if best == nil || snapshot.hasScreen(connector) { best = snapshot }
            } catch {
                why = error.isOfNoCard ? why : error
            }
        }
        guard let best else { throw why ?? .missing("a card in /dev/dri") }
        device = best.device
        return best
    }
}

extension DisplayError {
    /// Whether the device file does not exist.
    fileprivate var isOfNoCard: Bool { if case .kms(_, ENOENT) = self { true } else { false } }
}

extension CardSnapshot {
    fileprivate func hasScreen(_ name: String?) -> Bool {
        connectors.contains { $0.isConnected && !$0.timings.isEmpty && (name == nil || $0.name == name) }
    }
}
