// SPDX-License-Identifier: Apache-2.0

extension KMSConnector {
    /// Whether all that decides the choice of a mode is unchanged.
    func isSameScreen(as other: KMSConnector) -> Bool {
        id == other.id && edid == other.edid && timings == other.timings
    }

    /// The CRTC and primary plane to drive it with; a CRTC that drives it already is preferred.
    func crtcAndPlane(among planes: [KMSPlane]) -> (crtc: UInt32, plane: UInt32)? {
        let others = crtcs.filter { $0 != crtc }
        for crtc in [crtc].compactMap(\.self) + others {
            let plane = planes.first {
                $0.kind == .primary && $0.showsXRGB8888 && $0.crtcs.contains(crtc)
            }
            if let plane { return (crtc, plane.id) }
        }
        return nil
    }

    /// The modes to try, best first: the best ranked, then the display's preferred one and its smallest.
    /// - Parameter shown: a mode that must be among them.
    func candidates(for request: ModeRequest, with shown: KMSTiming?, atMost limit: Int) -> [KMSTiming] {
        let all = KMSMode.ranking(of: timings.map(\.mode), for: request).map { timings[$0] }
        var last: [KMSTiming] = []
        if let own = all.first(where: \.mode.isPreferred) { last.append(own) }
        if let shown { last.append(shown) }
        if let least = all.min(by: { $0.mode.pixels < $1.mode.pixels }) { last.append(least) }
        var candidates: [KMSTiming] = []
        for timing in all.prefix(limit - last.count) + last where !candidates.contains(timing) {
            candidates.append(timing)
        }
        return candidates
    }
}
