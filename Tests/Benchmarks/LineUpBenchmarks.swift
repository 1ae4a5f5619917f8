// SPDX-License-Identifier: Apache-2.0
import Announcements
import Foundation
import LineUp
import Time
import Venue

/// 500 channels, announced again and again: 100 datagrams a second may cost 1 % of a core, so 100 µs each.
let lineUpBenchmarks: [Benchmark] = {
    guard let head = NumericAddress("10.0.0.1") else { fatalError("an address of ours") }
    let license = FieldOfUse(venueName: "Arena", contentOwner: "Club", appDeveloper: "Us")
    let datagrams = (1...500).map { number in
        let announcement = Announcement(
            streamer: .init("head"), sessionNumber: Int64(number), license: license, name: "Channel \(number)",
            transport: Transport(address: "239.1.1.1", port: 5_004, encapsulation: .raw))
        return SAPPacket.encoded(
            .announcement, origin: head, payloadType: .announcement, payload: announcement.encoded)
    }
    return [
        Benchmark(name: "announcement-repeated", operation: "datagram of 500 channels'", limit: 100_000) { count in
            var lineUp = LineUp(settings: LineUpSettings(fieldOfUse: license))
            for number in 0..<count {
                let now = Monotonic(nanoseconds: Int64(number) * 10_000_000)
                datagrams[number % 500].withUnsafeBytes { bytes in
                    _ = lineUp.handle(datagram: bytes, from: head, at: now)
                }
            }
            return lineUp.counters.announcementsReceived &+ UInt64(lineUp.channels.count)
        }
    ]
}()
