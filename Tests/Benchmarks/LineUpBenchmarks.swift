// SPDX-License-Identifier: Apache-2.0
import Announcements
import Foundation
import LineUp
import Time
import Venue

/// 500 channels, announced again and again: 100 datagrams a second may cost 1 % of a core, so 100 µs each. A thousand a
/// second that announce nothing may cost 5 %, so 50 µs each.
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
    let broken = Array(repeating: "a=x\r\n", count: 200).joined()
    let rubbish = [
        [0x22] + datagrams[0].dropFirst(), [0x21] + datagrams[0].dropFirst(), Array(datagrams[0].dropLast()),
        SAPPacket.encoded(
            origin: head, payloadType: .sessionDescription,
            payload: Array("v=0\r\no=- 0 0 IN IP4 1.1.1.1\r\ns=x\r\n\(broken)?".utf8)),
    ]
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
        },
        Benchmark(name: "announcement-rubbish", operation: "datagram that announces nothing", limit: 50_000) { count in
            var lineUp = LineUp(settings: LineUpSettings(fieldOfUse: license))
            for number in 0..<count {
                rubbish[number % rubbish.count].withUnsafeBytes { bytes in
                    _ = lineUp.handle(
                        datagram: bytes, from: head, at: Monotonic(nanoseconds: Int64(number) * 1_000_000))
                }
            }
            return lineUp.counters.faults
        },
    ]
}()
