// SPDX-License-Identifier: Apache-2.0
import Time

/// The random numbers of one path. Each datagram takes the same count of numbers whatever its fate, so a change of one
/// condition does not change what the others do.
struct ImpairedPath: Sendable {
    struct Fate {
        var isLost: Bool
        var turnedBit: Int?
        var isHeldBack: Bool
        var delay: Nanoseconds
        /// Time from the datagram to its copy; nil when it is not duplicated.
        var copyAfter: Nanoseconds?
    }

    private var loss: LossProcess
    private var random: SeededRandom
    private var newestDue = Monotonic(nanoseconds: .min)

    init(_ conditions: ImpairmentConditions, seed: UInt64, path: Int) {
        loss = LossProcess(
            rate: conditions.loss, meanBurst: conditions.meanBurst,
            random: SeededRandom(seed: seed, stream: UInt64(path) * 2))
        random = SeededRandom(seed: seed, stream: UInt64(path) * 2 + 1)
    }

    mutating func nextFate(_ conditions: ImpairmentConditions, octets: Int) -> Fate {
        let isLost = loss.losesNext()
        let (corrupt, bit) = (random.fraction(), random.fraction())
        let (reorder, jitter) = (random.fraction(), random.fraction())
        let (duplicate, later) = (random.fraction(), random.fraction())
        return Fate(
            isLost: isLost,
            turnedBit: corrupt < conditions.corrupt && octets > 0 ? Int(bit * Double(octets * 8)) : nil,
            isHeldBack: reorder < conditions.reorder,
            delay: conditions.delay + Self.share(jitter, of: conditions.jitter),
            copyAfter: duplicate < conditions.duplicate ? Self.share(later, of: conditions.hold) : nil)
    }

    /// When a datagram with this delay leaves. It waits for the datagrams before it, as in a queue.
    mutating func queued(at now: Monotonic, for delay: Nanoseconds) -> Monotonic {
        newestDue = max(newestDue, now + delay)
        return newestDue
    }

    private static func share(_ fraction: Double, of span: Nanoseconds) -> Nanoseconds {
        Nanoseconds(Int64(fraction * Double(max(0, span.count))))
    }
}
