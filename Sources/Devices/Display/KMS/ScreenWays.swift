// SPDX-License-Identifier: Apache-2.0

/// By which controller and plane each of several screens of a card is driven: no two by the same.
struct ScreenWays {
    struct Way: Hashable {
        let controller: UInt32
        let plane: KMSPlane
    }

    private var planes: [UInt32: KMSPlane] = [:]
    private var owners: [UInt32: KMSConnector] = [:]

    /// As many as can be, and of these rather the first.
    /// - Parameters:
    ///   - kept: connectors that are driven already, and by which controller; they stay.
    init(for connectors: [KMSConnector], planes all: [KMSPlane], kept: [UInt32: UInt32] = [:]) {
        let usable = all.filter { $0.kind == .primary && $0.takesPlainPictures }
        // Who has the least choice chooses first.
        for plane in usable.sorted(by: { $0.controllers.count < $1.controllers.count }) {
            if let controller = plane.controllers.first(where: { planes[$0] == nil }) { planes[controller] = plane }
        }
        for connector in connectors {
            if let controller = kept[connector.id], planes[controller] != nil { owners[controller] = connector }
        }
        let settled = Set(owners.keys)
        for connector in connectors where kept[connector.id].map({ !settled.contains($0) }) ?? true {
            var seen = settled
            _ = place(connector, &seen)
        }
    }

    /// Nil: there is none left.
    func way(to connector: KMSConnector) -> Way? {
        guard let controller = owners.first(where: { $0.value.id == connector.id })?.key else { return nil }
        return planes[controller].map { Way(controller: controller, plane: $0) }
    }

    /// Where its controllers are taken, others may have another choice.
    private mutating func place(_ connector: KMSConnector, _ seen: inout Set<UInt32>) -> Bool {
        let now = connector.controller.map { [$0] } ?? []
        let possible = (now.filter(connector.controllers.contains) + connector.controllers).filter {
            planes[$0] != nil && !seen.contains($0)
        }
        if let free = possible.first(where: { owners[$0] == nil }) {
            owners[free] = connector
            return true
        }
        for controller in possible where seen.insert(controller).inserted {
            guard let owner = owners[controller], place(owner, &seen) else { continue }
            owners[controller] = connector
            return true
        }
        return false
    }
}
