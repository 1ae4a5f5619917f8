// SPDX-License-Identifier: Apache-2.0

extension MediaRange {
    /// Whether a client with this `Accept` field prefers `type/subtype` to the other type, which is the default: it has
    /// a higher quality, or the same quality and a more specific range.
    /// - Parameter accept: value of the field; nil if it is absent.
    public static func prefers(
        _ type: String, _ subtype: String, to other: (type: String, subtype: String), accept: String?
    ) -> Bool {
        let ranges = accept.map(list) ?? []
        let wanted = best(of: ranges, for: type, subtype)
        let standard = best(of: ranges, for: other.type, other.subtype)
        return wanted.quality > 0 && (wanted.quality, wanted.exactness) > (standard.quality, standard.exactness)
    }

    /// Quality and exactness of the most specific range for a type; quality 0 if no range matches.
    private static func best(
        of ranges: [MediaRange], for type: String, _ subtype: String
    ) -> (quality: Int, exactness: Int) {
        var best = (quality: 0, exactness: -1)
        for range in ranges {
            guard let exactness = range.exactness(to: type, subtype), exactness > best.exactness else { continue }
            best = (range.quality, exactness)
        }
        return best
    }
}
