// SPDX-License-Identifier: Apache-2.0

/// Finds the name that was probably meant by a misspelt one.
enum Suggestion {
    /// The only candidate that begins with `word`, or else the most similar one; nil if none is similar. A similar
    /// candidate differs by at most two typing errors, and by at most half the length of `word`.
    static func nearest(to word: String, among candidates: [String]) -> String? {
        let begun = candidates.filter { !word.isEmpty && $0.hasPrefix(word) }
        if begun.count == 1 { return begun[0] }
        guard word.utf8.count <= 32 else { return nil }
        let distances = candidates.map { (name: $0, distance: distance(Array(word.utf8), Array($0.utf8))) }
        guard let best = distances.min(by: { $0.distance < $1.distance }), best.distance <= min(2, word.utf8.count / 2)
        else { return nil }
        return best.name
    }

    /// The number of insertions, deletions, replacements and swaps of neighbours that turn one word into the other
    /// (optimal string alignment distance).
    static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for i in 0..<left.count {
            var row = [i + 1]
            for j in 0..<right.count {
                let replaced = last[j] + (left[i] == right[j] ? 0 : 1)
                row.append(min(replaced, last[j + 1] + 1, row[j] + 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    row[j + 1] = min(row[j + 1], beforeLast[j - 1] + 1)
                }
            }
            (beforeLast, last) = (last, row)
        }
        return last[right.count]
    }
}
