// SPDX-License-Identifier: Apache-2.0
import Scene
import Time

extension KMSMode {
    /// Indices of `modes`, best first, without those that are never tried.
    ///
    /// The pinned mode comes first if the display has it. Interlaced modes, and modes of more than `mostPixels`, count
    /// only if there are no others. Of the rest, the stage's size comes first, then the content's rate, then its
    /// multiples, then the display's preferred mode. If the stage is scaled, the rate outweighs the size, but a mode of
    /// less than half the stage's width or height is not chosen for its rate. A pinned rate counts as the content's.
    static func ranking(of modes: [KMSMode], for request: ModeRequest) -> [Int] {
        var others = Array(modes.indices)
        for isFit in [{ $0.pixels <= request.mostPixels }, { !$0.isInterlaced }] as [(KMSMode) -> Bool] {
            let fit = others.filter { isFit(modes[$0]) }
            if !fit.isEmpty { others = fit }
        }
        let allowed = Set(others)
        let pinned = modes.indices.filter { place in
            guard let pin = request.pin, modes[place].isMeant(by: pin) else { return false }
            // A pinned rate does not require a size.
            if case .rate = pin { return allowed.contains(place) }
            return true
        }
        let own = modes.first(where: \.isPreferred)?.size
        let ranks = modes.map { $0.rank(request, preferred: own) }
        func isBetter(_ left: Int, _ right: Int) -> Bool {
            ranks[left] == ranks[right] ? left < right : ranks[right].lexicographicallyPrecedes(ranks[left])
        }
        return pinned.sorted(by: isBetter) + others.filter { !pinned.contains($0) }.sorted(by: isBetter)
    }

    /// The index of the best mode for content of any rate; nil if there are no modes.
    static func choice(of modes: [KMSMode], for size: PixelSize) -> Int? {
        ranking(of: modes, for: ModeRequest(size: size)).first
    }

    /// Higher is better; each number outweighs all that follow.
    private func rank(_ request: ModeRequest, preferred: PixelSize?) -> [Int] {
        let holds = size.width >= request.size.width && size.height >= request.size.height
        let sizes = [size == request.size ? 1 : 0, holds ? 1 : 0, size == preferred ? 1 : 0]
        let isFineEnough = size.width * 2 >= request.size.width && size.height * 2 >= request.size.height
        // 1 for the content's rate; less for each higher multiple of it.
        let rates = [request.rate.map { $0.repeats(on: refresh).map { 2 - $0 } ?? -1_000 } ?? 0]
        return [isInterlaced ? 0 : 1] + (request.isScaled ? [isFineEnough ? 1 : 0] + rates + sizes : sizes + rates)
            + [isPreferred ? 1 : 0, -abs(milliHertz - 60_000), pixels]
    }
}
