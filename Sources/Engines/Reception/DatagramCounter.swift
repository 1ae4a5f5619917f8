// SPDX-License-Identifier: Apache-2.0

/// Counts a socket's datagrams before any of them is parsed.
struct DatagramCounter {
    private(set) var counters = ReceptionCounters()
    private var dropsBefore: UInt32 = 0

    mutating func received(octets: Int) {
        counters.datagrams += 1
        counters.octets += Int64(octets)
    }

    mutating func truncatedReceived() {
        counters.datagrams += 1
        counters.truncatedDatagrams += 1
    }

    /// - Parameter total: the socket's own drop count (`SO_RXQ_OVFL`), which wraps.
    /// - Returns: the growth since the last call.
    mutating func dropsReported(total: UInt32) -> Int64 {
        // A socket that was opened anew counts from 0.
        let more = total &- dropsBefore
        let news = Int64(more > UInt32.max / 2 ? total : more)
        counters.kernelDrops += news
        dropsBefore = total
        return news
    }
}
