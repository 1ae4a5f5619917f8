// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Time
import Timelines

/// A sender with a crystal of its own, a multiplexer that sends units some time before they are decoded, a network that
/// delays, and the clock that hears it all; what the clock should say is known.
struct SimulatedStream {
    enum Network {
        case exact
        /// Each packet up to so much later.
        case jitter(Nanoseconds)
        /// All that was sent since the last of these instants comes at once.
        case bursts(Nanoseconds)
    }

    var clock = StreamClock()
    var random: SplitMix64
    var network = Network.exact
    /// Parts per million by which the sender's clock is faster than ours.
    var drift: Int64 = 0
    var frame = Nanoseconds.milliseconds(40)
    /// Between references; nil: none.
    var referenceInterval: Nanoseconds? = .milliseconds(40)
    /// How long before its decoding time a unit is complete.
    var slack: (Int, inout SplitMix64) -> Nanoseconds = { _, _ in .milliseconds(300) }
    /// How long before its presentation time sound is complete that comes with each picture; nil: no sound.
    var soundSlack: Nanoseconds?
    /// Smallest of `slack`.
    var leastSlack = Nanoseconds.milliseconds(300)
    /// Added to what references and decoding times say.
    var referenceShift = Nanoseconds.seconds(7_000)
    var unitShift = Nanoseconds.seconds(7_000)
    /// Part of 100 by which references run.
    var referenceRate: Int64 = 100
    var isGarbage = false
    var losesReferences: Int = 0
    var isDiscontinuity = false
    /// Nothing sent before this instant of the sender's clock arrives before that.
    var heldUntil = Nanoseconds.zero
    /// All of the sender's actions come this much later: it paused.
    var paused = Nanoseconds.zero

    /// Of the sender's clock, from its start.
    private(set) var now = Nanoseconds.zero
    private var nextReference = Nanoseconds.zero
    private var nextUnit = 0
    private var nextCompletion = Nanoseconds.zero
    private(set) var lastArrival = Monotonic(nanoseconds: 0)
    private let origin = Monotonic(nanoseconds: 50_000_000_000)

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// When what is sent at this instant of the sender's clock is here without jitter.
    func arrival(of sent: Nanoseconds) -> Monotonic {
        origin + sent + paused - Nanoseconds(sent.microseconds * drift / 1_000)
    }

    private mutating func arrival() -> Monotonic {
        var sent = max(now, heldUntil)
        if case .bursts(let every) = network { sent = Nanoseconds((sent.count / every.count + 1) * every.count) }
        var result = arrival(of: sent)
        if case .jitter(let most) = network { result += Nanoseconds(.random(in: 0...most.count, using: &random)) }
        lastArrival = result
        return result
    }

    /// The clock's offset now, less what it should be: units are complete at their decoding times.
    var error: Nanoseconds? {
        guard let correlation = clock.correlation else { return nil }
        let dts = now + leastSlack + unitShift
        return correlation.offset - Nanoseconds(arrival(of: now).nanoseconds - dts.count)
    }

    /// Runs for a span of the sender's clock.
    /// - Parameter observe: after each event.
    mutating func run(_ span: Nanoseconds, _ observe: (inout SimulatedStream) -> Void = { _ in }) {
        let end = now + span
        if nextUnit == 0, nextCompletion == .zero { planUnit() }
        while true {
            let reference = referenceInterval.map { _ in nextReference } ?? Nanoseconds(.max)
            let next = min(reference, nextCompletion)
            guard next < end else { break }
            now = max(now, next)
            if reference <= nextCompletion { sendReference() } else { sendUnit() }
            observe(&self)
        }
        now = end
    }

    private mutating func planUnit() {
        nextCompletion = max(.zero, frame * Int64(nextUnit + 25) - slack(nextUnit, &random))
    }

    private mutating func sendUnit() {
        let dts = frame * Int64(nextUnit + 25) + unitShift
        let ticks = UInt64(bitPattern: TickRate.mpeg.ticks(dts)) & 0x1_FFFF_FFFF
        clock.unitCompleted(dts: ticks, packet: now.microseconds, at: arrival())
        if let soundSlack {
            let pts = UInt64(bitPattern: TickRate.mpeg.ticks(now + soundSlack + unitShift)) & 0x1_FFFF_FFFF
            clock.soundCompleted(pts: pts, packet: now.microseconds, at: lastArrival)
        }
        nextUnit += 1
        planUnit()
    }

    private mutating func sendReference() {
        nextReference = nextReference + (referenceInterval ?? .seconds(1))
        guard losesReferences == 0 || Int.random(in: 0..<100, using: &random) >= losesReferences else { return }
        let stamp = Nanoseconds(now.count / 100 * referenceRate) + referenceShift
        var ticks = UInt64(bitPattern: TickRate.programClock.ticks(stamp)) % ((1 << 33) * 300)
        if isGarbage { ticks = .random(in: 0..<(1 << 33) * 300, using: &random) }
        clock.referenceReceived(
            pcr: ticks, isDiscontinuity: isDiscontinuity, packet: now.microseconds, at: arrival())
        isDiscontinuity = false
    }

    mutating func startReferencesNow() { nextReference = now }
}
