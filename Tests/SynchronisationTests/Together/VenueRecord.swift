// SPDX-License-Identifier: Apache-2.0
import Time

/// How far the boxes of a simulated venue were apart.
struct VenueRecord {
    /// One vblank and a millisecond.
    let allowed: Int64
    private(set) var pictures = 0
    private(set) var picturesTogether = 0
    /// Nanoseconds between the first and the last box that showed a picture.
    private(set) var picturesApart: [Int64] = []
    private(set) var sounds = 0
    private(set) var soundsTogether = 0
    private(set) var soundsApart: [Int64] = []

    private let soundAllowed: Int64

    init(refresh: FrameRate, sound: Nanoseconds) {
        allowed = refresh.period.count + 1_000_000
        soundAllowed = sound.count
    }

    /// Takes what is heard of the boxes at this instant.
    mutating func hear(_ boxes: [SimulatedBox]) {
        let heard = boxes.compactMap { $0.heard?.count }
        guard heard.count == boxes.count, let first = heard.min(), let last = heard.max() else {
            // Silence of one is not together.
            sounds += 1
            return
        }
        sounds += 1
        soundsApart.append(last - first)
        if last - first <= soundAllowed { soundsTogether += 1 }
    }

    /// Takes the pictures that were visible between two instants; each of them shall have been on every box.
    mutating func see(_ boxes: [SimulatedBox], from start: Int64, to end: Int64) {
        var seen: [Int: (first: Int64, last: Int64, count: Int)] = [:]
        for box in boxes {
            for (picture, at) in box.shown where at >= start && at < end {
                let before = seen[picture] ?? (at, at, 0)
                seen[picture] = (min(before.first, at), max(before.last, at), before.count + 1)
            }
        }
        guard let least = seen.keys.min(), let most = seen.keys.max() else { return }
        // At both ends some boxes have shown them outside.
        for picture in least + 2..<max(least + 2, most - 1) {
            pictures += 1
            guard let (first, last, count) = seen[picture] else { continue }
            picturesApart.append(last - first)
            if last - first <= allowed, count == boxes.count { picturesTogether += 1 }
        }
    }

    var description: String {
        func ms(_ value: Int64?) -> String { "\(Double((value ?? 0) / 1_000) / 1_000)" }
        func tail(_ values: [Int64]) -> String {
            let sorted = values.sorted()
            guard !sorted.isEmpty else { return "none" }
            return "\(ms(sorted[sorted.count / 2])), \(ms(sorted[sorted.count * 999 / 1_000])), \(ms(sorted.last)) ms"
        }
        return "pictures \(picturesTogether) of \(pictures), apart \(tail(picturesApart)); "
            + "sound \(soundsTogether) of \(sounds), apart \(tail(soundsApart)) (median, 99.9 %, most)"
    }
}
