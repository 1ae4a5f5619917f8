// SPDX-License-Identifier: Apache-2.0

/// Learns the time from one picture to the next, in ticks of 90 kHz, from pictures of which some have no time stamp
/// (ISO/IEC 13818-1 2.7.4 asks for one each 0.7 s). Where a stream is cut, pictures are missing, and the time to the next
/// one is that of several: it is the usual time that counts, and not the last.
struct PictureCadence: Sendable {
    /// 200 pictures a second to one a second.
    private static let plausible = Int64(450)...90_000
    private static let mostSteps = 5

    /// What is assumed before the first step: 25 pictures a second, or what was usual before a break.
    private var assumed: Int64 = 3_600
    /// The last steps, the oldest of which gives way.
    private var steps: [Int64] = []
    private var next = 0
    /// The last time stamp; nil before the first.
    private var last: Int64?
    /// Pictures since then.
    private var pictures: Int64 = 0

    /// The median of the last steps, the smaller of the two in the middle.
    var step: Int64 { steps.isEmpty ? assumed : steps.sorted()[(steps.count - 1) / 2] }

    init() { steps.reserveCapacity(Self.mostSteps) }

    /// Another timeline begins, perhaps of another encoder.
    mutating func broke() {
        assumed = step
        steps.removeAll(keepingCapacity: true)
        (next, last, pictures) = (0, nil, 0)
    }

    /// A picture with a time stamp. Time stamps are all of one kind, and their pictures in the order of that.
    mutating func stamped(_ time: Int64) {
        pictures += 1
        if let last, time > last, Self.plausible.contains((time - last) / pictures) {
            learn((time - last) / pictures)
        }
        last = time
        pictures = 0
    }

    private mutating func learn(_ step: Int64) {
        if steps.count < Self.mostSteps {
            steps.append(step)
        } else {
            steps[next] = step
        }
        next = (next + 1) % Self.mostSteps
    }

    /// - Returns: the time of a picture without a stamp; nil before the first that has one.
    mutating func unstamped() -> Int64? {
        guard let last else { return nil }
        pictures += 1
        return last + step * pictures
    }
}
