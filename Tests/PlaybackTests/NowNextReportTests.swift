// SPDX-License-Identifier: Apache-2.0
import Buffers
import Bytes
import Media
import Synchronization
import System
import Testing
import Time
import TransportStream
import Venue

@testable import Playback

/// From the packets of a history to what a session reports.
struct NowNextReportTests {
    private static let start = WallTime(nanoseconds: 1_795_000_000_000_000_000)

    private final class Reports: Sendable {
        let heard = Mutex<[NowNext]>([])
        let came = Wakeup()

        /// What was reported last, once so many reports have come.
        func await(_ count: Int) -> NowNext? {
            let deadline = SystemClock.monotonic() + .seconds(20)
            while SystemClock.monotonic() < deadline {
                let all = heard.withLock { $0 }
                if all.count >= count { return all.last }
                came.wait(until: deadline)
            }
            return nil
        }
    }

    private static func packets(_ section: [UInt8], counter: UInt8) -> [UInt8] {
        let data = [0] + section
        precondition(data.count <= 184)
        return [0x47, 0x40, 0x12, 0x10 | counter & 0xF] + data + [UInt8](repeating: 0xFF, count: 184 - data.count)
    }

    private static func section(
        _ number: UInt8, _ titles: [(language: String, name: String)], version: UInt8
    ) -> [UInt8] {
        let event = EIT.Event(
            id: 5, start: start, duration: .seconds(5_400),
            texts: titles.map { EventText(language: $0.language, name: $0.name, summary: "Live") },
            ratings: [ParentalRating(country: "DEU", value: 9), ParentalRating(country: "FRA", value: 40)])
        return EIT(
            serviceID: 1, transportStreamID: 1, originalNetworkID: 1, sectionNumber: number,
            events: titles.isEmpty ? [] : [event]
        ).section(version: version)
    }

    @Test func tellsWhatTheStreamSays() throws {
        let history = HistoryBuffer(span: .seconds(3_600), capacity: 1 << 20)
        let arrived = Wakeup()
        let reports = Reports()
        var options = PlaybackSession.Options(delay: .zero)
        options.choice.audioLanguage = "fra"
        let session = try PlaybackSession(
            id: 3, LiveProvider(history, arrived: arrived), options, pictureWakeup: Wakeup()
        ) {
            guard case .nowNextChanged(3, let nowNext) = $0 else { return }
            reports.heard.withLock { $0.append(nowNext) }
            reports.came.signal()
        }
        defer {
            session.close()
            session.join()
        }
        // The pause between reports is of the stream's time: each batch arrives a minute after the one before.
        var arrival = SystemClock.monotonic() - .seconds(600)
        func append(_ packets: [UInt8]) {
            arrival = arrival + .seconds(60)
            packets.withUnsafeBytes { _ = history.append($0, arrival: arrival, flags: []) }
            arrived.signal()
        }
        var multiplexer = TSMultiplexer(.init(provider: "", name: ""))
        var out = WireWriter(reserving: 1_024)
        multiplexer.writeDue(clock: 0, to: &out)
        append(out.bytes)
        append(Self.packets(Self.section(0, [("deu", "Spiel"), ("fra", "Match")], version: 0), counter: 0))
        let now = Broadcast(
            title: "Match", text: "Live", language: "fra", start: Self.start, duration: .seconds(5_400), minimumAge: 12)
        #expect(reports.await(1) == NowNext(now: now))
        append(Self.packets(Self.section(1, [("deu", "Später")], version: 0), counter: 1))
        #expect(reports.await(2)?.next?.title == "Später")
        append(Self.packets(Self.section(1, [("deu", "Später")], version: 0), counter: 2))  // no news
        append(
            Self.packets(Self.section(0, [], version: 1), counter: 3)
                + Self.packets(Self.section(1, [], version: 1), counter: 4))
        #expect(reports.await(3) == NowNext())
        // Of many at once, all within a second, one is told.
        append((0..<12).flatMap { Self.packets(Self.section(0, [("deu", "\($0)")], version: 2), counter: 5 + $0) })
        #expect(reports.await(4)?.now?.title == "11")
        #expect(reports.heard.withLock { $0.count } == 4)
    }
}
