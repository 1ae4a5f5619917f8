// SPDX-License-Identifier: Apache-2.0

extension KMSConnector {
    /// Nothing has changed that its mode was chosen by.
    func isSameScreen(as other: KMSConnector) -> Bool {
        id == other.id && edid == other.edid && timings == other.timings
    }

    /// By which controller and plane, the one that drives it already before others.
    func path(among planes: [KMSPlane]) -> (controller: UInt32, plane: UInt32)? {
        let others = controllers.filter { $0 != controller }
        for controller in [controller].compactMap(\.self) + others {
            let plane = planes.first {
                $0.kind == .primary && $0.takesPlainPictures && $0.controllers.contains(controller)
            }
            if let plane { return (controller, plane.id) }
        }
        return nil
    }

    /// The best of the ladder, the display's own and its smallest.
    /// - Parameter shown: is one of them as well.
    func rungs(for wish: ModeWish, with shown: KMSTiming?, atMost limit: Int) -> [KMSTiming] {
        let all = KMSMode.ladder(of: timings.map(\.mode), for: wish).map { timings[$0] }
        var last: [KMSTiming] = []
        if let own = all.first(where: \.mode.isPreferred) { last.append(own) }
        if let shown { last.append(shown) }
        if let least = all.min(by: { $0.mode.pixels < $1.mode.pixels }) { last.append(least) }
        var rungs: [KMSTiming] = []
        for timing in all.prefix(limit - last.count) + last where !rungs.contains(timing) { rungs.append(timing) }
        return rungs
    }
}
