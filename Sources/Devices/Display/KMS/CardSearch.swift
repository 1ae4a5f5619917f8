// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A card and its connectors, as they were a moment ago.
struct CardSnapshot: Sendable {
    let device: any KMSDevice
    var connectors: [KMSConnector]
    /// The kernel had told of a change.
    let isHotplug: Bool
    /// Those that may be used; all of the card's.
    var planes: [KMSPlane]

    init(device: any KMSDevice, connectors: [KMSConnector], isHotplug: Bool) {
        self.device = device
        self.connectors = connectors
        self.isHotplug = isHotplug
        planes = device.planes
    }
}

/// Finds the card that has a screen, and reads its connectors.
struct CardSearch: Sendable {
    private let paths: [String]
    private let open: @Sendable (String) throws(DisplayError) -> any KMSDevice
    private var device: (any KMSDevice)?

    init(
        paths: [String] = (0..<16).map { "/dev/dri/card\($0)" },
        open: @escaping @Sendable (String) throws(DisplayError) -> any KMSDevice = {
            path throws(DisplayError) -> any KMSDevice in
            try AtomicCard(opening: path)
        }
    ) {
        self.paths = paths
        self.open = open
    }

    /// The card of before, as the kernel knows it.
    /// - Throws: when it has gone.
    func readCached() throws(DisplayError) -> CardSnapshot {
        guard let device else { throw .missing("a card in /dev/dri") }
        return CardSnapshot(device: device, connectors: try device.readConnectors(probes: false), isHotplug: false)
    }

    /// The card of before while it has a screen; else the first that has one, or is a card at all.
    /// - Throws: why none can be used.
    mutating func probe(for connector: String?, isHotplug: Bool = false) throws(DisplayError) -> CardSnapshot {
        var best: CardSnapshot?
        var why: DisplayError?
        // Without privileges only who opens a card that has no master becomes it: another one had it then.
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
    /// There is nothing that could be used.
    fileprivate var isOfNoCard: Bool { if case .kms(_, ENOENT) = self { true } else { false } }
}

extension CardSnapshot {
    fileprivate func hasScreen(_ name: String?) -> Bool {
        connectors.contains { $0.isConnected && !$0.timings.isEmpty && (name == nil || $0.name == name) }
    }
}
