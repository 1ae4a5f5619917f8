// SPDX-License-Identifier: Apache-2.0
import Time

/// Interarrival jitter of one sender's RTP packets (RFC 3550 §6.4.1): how far the distances of arrivals are from those of
/// the time stamps, in the order of arrival.
struct ArrivalJitter {
    private let ticksPerSecond: Int64
    private var last: (timestamp: UInt32, arrival: Monotonic)?
    /// Sixteen times the jitter, nanoseconds.
    private var scaled: Int64 = 0
    private var peak = Nanoseconds.zero

    /// - Parameter clockRate: of the time stamps, Hz.
    init(clockRate: Int) { ticksPerSecond = Int64(max(1, clockRate)) }

    /// J of the RFC.
    var mean: Nanoseconds { Nanoseconds(scaled / 16) }

    /// The greatest difference since this was asked last.
    mutating func takePeak() -> Nanoseconds {
        defer { peak = .zero }
        return peak
    }

    /// Another sender, or other time stamps, are compared with nothing of this one.
    mutating func restart() { last = nil }

    /// A packet that came over the network, once.
    mutating func packetReceived(timestamp: UInt32, at arrival: Monotonic) {
        defer { last = (timestamp, arrival) }
        guard let last else { return }
        let ticks = Int64(Int32(bitPattern: timestamp &- last.timestamp))
        let (sent, received) = (Nanoseconds(ticks * 1_000_000_000 / ticksPerSecond), arrival - last.arrival)
        let difference = (received - sent).magnitude
        // A sender that begins anew is no jitter.
        guard difference < .seconds(10) else { return }
        scaled += difference.count - scaled / 16
        peak = max(peak, difference)
    }
}
