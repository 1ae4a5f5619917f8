// SPDX-License-Identifier: Apache-2.0

/// The planes that show a video picture and, above it, the canvas with a hole. If the primary plane is neither of the
/// two, it shows the canvas below both.
struct PlaneStack: Hashable, Sendable {
    let video: KMSPlane
    let canvas: KMSPlane
    /// Settings that bring the planes into this order.
    let zpositions: [KMSSetting]

    /// Limit on the stacks to try of each shape.
    private static let mostOfAShape = 2

    /// Whether the primary plane shows the canvas too, below the other two.
    func usesThreePlanes(on pipeline: DisplayPipeline) -> Bool {
        video.id != pipeline.plane && canvas.id != pipeline.plane
    }

    /// The stacks to try, best first: two planes before three.
    /// - Parameters:
    ///   - planes: the card's planes in the kernel's order.
    ///   - primary: the plane that shows the canvas when there is no video.
    ///   - format: the picture's format, a code of `drm_fourcc.h`.
    static func all(of planes: [KMSPlane], on crtc: UInt32, primary: UInt32, format: UInt32) -> [PlaneStack] {
        let usable = planes.filter { $0.crtcs.contains(crtc) && ($0.id == primary || $0.kind == .overlay) }
        guard let base = usable.first(where: { $0.id == primary }) else { return [] }
        var byShape: [[PlaneStack]] = [[], [], []]
        for video in usable where video.formats.contains(format) {
            for canvas in usable where canvas.id != video.id && canvas.blendsPremultiplied {
                let shape = canvas.id == primary ? 0 : video.id == primary ? 1 : 2
                guard byShape[shape].count < mostOfAShape,
                    let zpositions = zpositions(of: shape == 2 ? [base, video, canvas] : [video, canvas], in: usable)
                else { continue }
                byShape[shape].append(PlaneStack(video: video, canvas: canvas, zpositions: zpositions))
            }
        }
        return byShape.flatMap(\.self)
    }

    /// - Parameter stack: planes, the lowest first.
    /// - Returns: the settings for this order; nil if it is impossible.
    private static func zpositions(of stack: [KMSPlane], in planes: [KMSPlane]) -> [KMSSetting]? {
        let known = stack.compactMap(\.zpos)
        guard known.count == stack.count else {
            // Without the zpos property the order is a convention: the primary plane, then overlays in the kernel's
            // order.
            let places = stack.map { plane in
                plane.kind == .primary ? -1 : planes.firstIndex { $0.id == plane.id } ?? 0
            }
            return zip(places, places.dropFirst()).allSatisfy(<) ? [] : nil
        }
        var settings: [KMSSetting] = []
        var least: UInt64 = 0
        for (plane, zpos) in zip(stack, known) {
            let value = max(least, zpos.range.lowerBound)
            guard value <= zpos.range.upperBound, value < .max else { return nil }
            if zpos.range.lowerBound < zpos.range.upperBound { settings.append(KMSSetting(plane.id, .zpos, value)) }
            least = value + 1
        }
        return settings
    }
}
