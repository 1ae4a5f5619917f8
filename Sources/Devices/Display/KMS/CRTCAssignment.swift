// SPDX-License-Identifier: Apache-2.0

/// Assigns a CRTC and a primary plane to each of several screens of a card.
struct CRTCAssignment {
    struct Pair: Hashable {
        let crtc: UInt32
        let plane: KMSPlane
    }

    private var planes: [UInt32: KMSPlane] = [:]
    private var owners: [UInt32: KMSConnector] = [:]

    /// Assigns as many connectors as possible, earlier ones first.
    /// - Parameters:
    ///   - kept: CRTCs by the connectors that they drive already; these stay as they are.
    init(for connectors: [KMSConnector], planes all: [KMSPlane], kept: [UInt32: UInt32] = [:]) {
        let usable = all.filter { $0.kind == .primary && $0.showsXRGB8888 }
        // Planes that fit few CRTCs are assigned first.
        for plane in usable.sorted(by: { $0.crtcs.count < $1.crtcs.count }) {
            if let crtc = plane.crtcs.first(where: { planes[$0] == nil }) { planes[crtc] = plane }
        }
        for connector in connectors {
            if let crtc = kept[connector.id], planes[crtc] != nil { owners[crtc] = connector }
        }
        let settled = Set(owners.keys)
        for connector in connectors where kept[connector.id].map({ !settled.contains($0) }) ?? true {
            var seen = settled
            _ = place(connector, &seen)
        }
    }

    /// nil if none is left for the connector.
    func crtcAndPlane(for connector: KMSConnector) -> Pair? {
        guard let crtc = owners.first(where: { $0.value.id == connector.id })?.key else { return nil }
        return planes[crtc].map { Pair(crtc: crtc, plane: $0) }
    }

    /// Finds a CRTC for the connector. If all of its CRTCs are taken, their owners are moved to other ones where
    /// possible.
    /// - Parameter seen: CRTCs that were considered already or must not be moved.
    private mutating func place(_ connector: KMSConnector, _ seen: inout Set<UInt32>) -> Bool {
        let now = connector.crtc.map { [$0] } ?? []
        let possible = (now.filter(connector.crtcs.contains) + connector.crtcs).filter {
            planes[$0] != nil && !seen.contains($0)
        }
        if let free = possible.first(where: { owners[$0] == nil }) {
            owners[free] = connector
            return true
        }
        for crtc in possible where seen.insert(crtc).inserted {
            guard let owner = owners[crtc], place(owner, &seen) else { continue }
            owners[crtc] = connector
            return true
        }
        return false
    }
}
