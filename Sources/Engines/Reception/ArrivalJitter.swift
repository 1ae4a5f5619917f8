// SPDX-License-Identifier: Apache-2.0
import Time

/// Interarrival jitter of one sender's RTP packets (RFC 3550 §6.4.1): how much the spacing of arrivals differs from the
/// spacing of the time stamps. Packets count in the order of arrival.
struct ArrivalJitter {
    private let ticksPerSecond: Int64
    private var last: (timestamp: UInt32, arrival: Monotonic)?
    /// Sixteen times the jitter, in nanoseconds.
    private var scaled: Int64 = 0
    private var peak = Nanoseconds.zero

    /// - Parameter clockRate: clock rate of the time stamps, Hz.
    init(clockRate: Int) { ticksPerSecond = Int64(max(1, clockRate)) }

    /// The estimate J of RFC 3550 §6.4.1.
    var mean: Nanoseconds { Nanoseconds(scaled / 16) }

    /// The greatest difference since the last call.
    mutating func takePeak() -> Nanoseconds {
        defer { peak = .zero }
        return peak
    }

    /// Called when the sender or its time stamps change: the next packet is not compared with the one before it.
    mutating func restart() { last = nil }

    /// To be called once for each packet that came over the network, in order of arrival; not for recovered packets.
    mutating func packetReceived(timestamp: UInt32, at arrival: Monotonic) {
        defer { last = (timestamp, arrival) }
        guard let last else { return }
        let ticks = Int64(Int32(bitPattern: timestamp &- last.timestamp))
        let (sent, received) = (Nanoseconds(ticks * 1_000_000_000 / ticksPerSecond), arrival - last.arrival)
        let difference = (received - sent).magnitude
        // A difference this large is a sender that restarted its time stamps, not jitter.
        guard difference < .seconds(10) else { return }
        scaled += difference.count - scaled / 16
        peak = max(peak, difference)
    }
}
