// SPDX-License-Identifier: Apache-2.0

/// Which planes show a video's picture and, above it, the canvas. The primary plane, where it is neither, shows the
/// canvas below both as it does without them.
struct PlaneStack: Hashable, Sendable {
    let video: KMSPlane
    let canvas: KMSPlane
    /// Bring them into this order.
    let orders: [KMSSetting]

    /// Of each kind, at most.
    private static let mostOfAKind = 2

    /// Those to try, the best first: with two planes rather than three.
    /// - Parameters:
    ///   - planes: in the kernel's order.
    ///   - primary: the one that shows the canvas alone.
    ///   - format: the picture's, of `drm_fourcc.h`.
    static func all(
        of planes: [KMSPlane], on crtc: UInt32, primary: UInt32, format: UInt32
    ) -> [PlaneStack] {
        let usable = planes.filter {
            $0.crtcs.contains(crtc) && ($0.id == primary || $0.kind == .overlay)
        }
        guard let base = usable.first(where: { $0.id == primary }) else { return [] }
        var byKind: [[PlaneStack]] = [[], [], []]
        for video in usable where video.formats.contains(format) {
            for canvas in usable where canvas.id != video.id && canvas.blendsPremultiplied {
                let kind = canvas.id == primary ? 0 : video.id == primary ? 1 : 2
                guard byKind[kind].count < mostOfAKind,
                    let orders = orders(of: kind == 2 ? [base, video, canvas] : [video, canvas], in: usable)
                else { continue }
                byKind[kind].append(PlaneStack(video: video, canvas: canvas, orders: orders))
            }
        }
        return byKind.flatMap(\.self)
    }

    /// - Parameter stack: the lowest first.
    /// - Returns: nil when they cannot lie so.
    private static func orders(of stack: [KMSPlane], in planes: [KMSPlane]) -> [KMSSetting]? {
        let known = stack.compactMap(\.order)
        guard known.count == stack.count else {
            // By convention: the primary plane, then the overlays as the kernel lists them.
            let places = stack.map { plane in
                plane.kind == .primary ? -1 : planes.firstIndex { $0.id == plane.id } ?? 0
            }
            return zip(places, places.dropFirst()).allSatisfy(<) ? [] : nil
        }
        var settings: [KMSSetting] = []
        var least: UInt64 = 0
        for (plane, order) in zip(stack, known) {
            let value = max(least, order.range.lowerBound)
            guard value <= order.range.upperBound, value < .max else { return nil }
            if order.range.lowerBound < order.range.upperBound { settings.append(KMSSetting(plane.id, .order, value)) }
            least = value + 1
        }
        return settings
    }
}
