// SPDX-License-Identifier: Apache-2.0
import Announcements
import Foundation
import LineUp
import Time
import Venue

private let license = FieldOfUse(venueName: "Arena", contentOwner: "Club", appDeveloper: "Us")

/// 500 channels, announced again and again: 100 datagrams a second may cost 1 % of a core, so 100 µs each. A thousand a
/// second that announce nothing may cost 5 %, so 50 µs each. A changed announcement costs the line-up at most three times
/// as much among a thousand channels as among ten.
let lineUpBenchmarks: [Benchmark] = {
    guard let head = NumericAddress("10.0.0.1") else { fatalError("an address of ours") }
    let datagrams = (1...500).map { number in
        let announcement = Announcement(
            streamer: .init("head"), sessionNumber: Int64(number), license: license, name: "Channel \(number)",
            transport: Transport(address: "239.1.1.1", port: 5_004, encapsulation: .raw))
        return SAPPacket.encoded(
            .announcement, origin: head, payloadType: .announcement, payload: announcement.encoded)
    }
    var changed = Benchmark(
        name: "announcement-changed", operation: "datagram that changes one of 1000 channels",
        peer: Benchmark.Peer(name: "10 channels", run: changing(10)), run: changing(1_000))
    changed.leastSpeed = 1 / 3
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
        changed,
    ]
}()

/// Changes so many announced channels of two head-ends in turn; all of them are read.
private func changing(_ channels: Int) -> @Sendable (Int) -> UInt64 {
    let heads = [NumericAddress(v4: 0x0a00_0001), NumericAddress(v4: 0x0a00_0002)]
    let datagrams = (0..<2 * channels).map { number in
        let head = number % channels % 2
        let announcement = Announcement(
            streamer: .init("head-\(head)"), sessionNumber: Int64(number % channels), license: license,
            name: "Channel \(number % channels), round \(number / channels)",
            transport: Transport(address: "239.1.1.1", port: 5_004, encapsulation: .raw))
        return SAPPacket.encoded(
            .announcement, origin: heads[head], payloadType: .announcement, payload: announcement.encoded)
    }
    return { count in
        let all = RateLimit(atOnce: 1_000_000_000, perSecond: 1_000_000)
        var lineUp = LineUp(
            settings: LineUpSettings(fieldOfUse: license), limits: LineUpLimits(reading: all, readingOfAll: all))
        for number in 0..<count {
            let now = Monotonic(nanoseconds: Int64(number) * 1_000_000)
            datagrams[number % datagrams.count].withUnsafeBytes { bytes in
                _ = lineUp.handle(datagram: bytes, from: heads[number % channels % 2], at: now)
            }
        }
        precondition(lineUp.counters.faults == 0)
        return UInt64(lineUp.channelCount)
    }
}
