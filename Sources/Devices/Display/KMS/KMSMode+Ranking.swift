// SPDX-License-Identifier: Apache-2.0
import Scene
import Time

extension KMSMode {
    /// The places in `modes` of those to try, the best first; empty when there are none.
    ///
    /// First what is pinned, if the screen has it. Then none that is interlaced, and none with more pixels than
    /// `wish.mostPixels`, unless there are no others. Of these the stage's size, then the content's rate, then its
    /// multiples, then the screen's own; where the stage is scaled the rate comes before the size, but less than half
    /// the stage each way is not taken for the rate's sake. A rate that is pinned counts as the content's.
    static func ranking(of modes: [KMSMode], for request: ModeRequest) -> [Int] {
        var others = Array(modes.indices)
        for isFit in [{ $0.pixels <= request.mostPixels }, { !$0.isInterlaced }] as [(KMSMode) -> Bool] {
            let fit = others.filter { isFit(modes[$0]) }
            if !fit.isEmpty { others = fit }
        }
        let allowed = Set(others)
        let pinned = modes.indices.filter { place in
            guard let pin = request.pin, modes[place].isMeant(by: pin) else { return false }
            // Who pins a rate has not asked for a size.
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

    /// The place in `modes` of the first to try, for content of any rate; nil when there are none.
    static func choice(of modes: [KMSMode], for size: PixelSize) -> Int? {
        ranking(of: modes, for: ModeRequest(size: size)).first
    }

    /// The more the better, what comes first outweighing what follows.
    private func rank(_ request: ModeRequest, preferred: PixelSize?) -> [Int] {
        let holds = size.width >= request.size.width && size.height >= request.size.height
        let sizes = [size == request.size ? 1 : 0, holds ? 1 : 0, size == preferred ? 1 : 0]
        let isFineEnough = size.width * 2 >= request.size.width && size.height * 2 >= request.size.height
        // 1 for the same rate, less for its multiples, the higher the less.
        let rates = [request.rate.map { $0.repeats(on: refresh).map { 2 - $0 } ?? -1_000 } ?? 0]
        return [isInterlaced ? 0 : 1] + (request.isScaled ? [isFineEnough ? 1 : 0] + rates + sizes : sizes + rates)
            + [isPreferred ? 1 : 0, -abs(milliHertz - 60_000), pixels]
    }
}
