// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Time

/// A live channel: 25 pictures a second, a clock reference between each two of them, random-access points half a second
/// apart, by a sender's clock of its own. Each packet comes to each box with a delay of its own.
struct SimulatedChannel {
    static let picture = Nanoseconds.milliseconds(40)
    static let picturesToNextPoint = 12
    /// The time stamp of the first picture, 90 kHz.
    private static let firstStamp: Int64 = 90_000 * 7_000
    /// How long before its decoding time a picture is complete.
    private static let slack = Nanoseconds.milliseconds(300)
    private static let least: Int64 = 400_000

    let sender: SimulatedCrystal
    /// Packets are later by up to this.
    var jitter = Nanoseconds.milliseconds(10)
    /// Of 100 packets.
    var lost = 1

    /// A packet that completes a picture, or has a reference: they are sent in turn.
    enum Packet {
        case reference(pcr: UInt64)
        case picture(Int)
    }

    static func ticks(of picture: Int) -> Int64 { firstStamp + Int64(picture) * TickRate.mpeg.ticks(Self.picture) }

    /// Of the time stamp, as a span.
    static func stamp(of picture: Int) -> Nanoseconds { TickRate.mpeg.nanoseconds(ticks(of: picture)) }

    func packet(_ number: Int) -> Packet {
        guard number % 2 == 0 else { return .picture(number / 2) }
        let stamp = Self.stamp(of: number / 2) - Self.slack - Self.picture / 2
        return .reference(pcr: UInt64(TickRate.programClock.ticks(stamp)) % ((1 << 33) * 300))
    }

    /// The first packet that is sent after this, in true time.
    func packet(after time: Int64) -> Int {
        Int((sender.reading(at: time).nanoseconds - sender.origin) / (Self.picture.count / 2)) + 1
    }

    /// True time.
    func arrival(of packet: Int, _ random: inout SplitMix64) -> Int64 {
        let sent = sender.time(of: Monotonic(nanoseconds: sender.origin + Int64(packet) * Self.picture.count / 2))
        return sent + Self.least + .random(in: 0...jitter.count, using: &random)
    }
}
