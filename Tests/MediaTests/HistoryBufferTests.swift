// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Media

@Suite struct HistoryBufferTests {
    @Test func cursorsFollowTheLiveEnd() {
        let history = HistoryBuffer(span: .seconds(10), capacity: 65_536, largestRecord: 2_048)
        var reader = HistoryReader(history, at: history.live)
        #expect(reader.next() == .atLive)
        history.append([1, 2, 3], at: 1, flags: .afterLoss)
        history.append([], at: 2)
        history.append([4], at: 2, flags: [.randomAccess])
        #expect(reader.next() == .record([1, 2, 3], arrival: 1, flags: .afterLoss))
        #expect(reader.next() == .record([], arrival: 2, flags: []))
        #expect(reader.next() == .record([4], arrival: 2, flags: .randomAccess))
        #expect(reader.next() == .atLive)
        #expect(reader.next() == .atLive)
        history.append([5], at: 3)
        #expect(reader.next() == .record([5], arrival: 3, flags: []))
    }

    @Test func keepsNoMoreThanItsTime() {
        let history = HistoryBuffer(span: .seconds(10), capacity: 65_536, largestRecord: 2_048)
        for second in 0..<30 as Range<Int64> { history.append([UInt8(second)], at: second) }
        var reader = HistoryReader(history, at: history.oldest)
        let kept = reader.rest()
        #expect(kept.first == [19] && kept.last == [29], "10 s back from the newest, and that instant too")
        #expect(kept.count == 11)
    }

    /// Sizes that fit the capacity in no regular way: records lie across the end everywhere.
    @Test(arguments: Effort.seeds(20)) func keepsNoMoreThanItsOctets(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let history = HistoryBuffer(span: .seconds(1_000), capacity: 65_536, largestRecord: 9_000)
        var written: [[UInt8]] = []
        for number in 0..<400 {
            let payload = [UInt8](repeating: UInt8(number % 251), count: .random(in: 0...9_000, using: &random))
            #expect(history.append(payload, at: 0))
            written.append(payload)
            var reader = HistoryReader(history, at: history.oldest)
            let kept = reader.rest()
            #expect(kept.elementsEqual(written.suffix(kept.count)))
            let octets = kept.reduce(0) { $0 + $1.count + 28 }
            #expect(octets <= 65_536)
            #expect(number == kept.count - 1 || octets > 65_536 - 9_028, "nothing gives way before it must")
        }
    }

    @Test func refusesWhatIsTooLarge() {
        let history = HistoryBuffer(span: .seconds(10), capacity: 65_536, largestRecord: 188)
        #expect(!history.append([UInt8](repeating: 0, count: 189), at: 0))
        #expect(history.live == history.oldest)
        #expect(history.append([UInt8](repeating: 0, count: 188), at: 0))
    }

    @Test func slowCursorIsToldWhereToGoOn() {
        let history = HistoryBuffer(span: .seconds(2), capacity: 65_536, largestRecord: 2_048)
        history.append([0], at: 0)
        var reader = HistoryReader(history, at: history.oldest)
        for second in 1...9 as ClosedRange<Int64> { history.append([UInt8(second)], at: second) }
        #expect(reader.next() == .overrun(oldest: history.oldest))
        #expect(reader.next() == .overrun(oldest: history.oldest), "the cursor stays until its reader moves it")
        reader.cursor = history.oldest
        #expect(reader.rest() == [[7], [8], [9]])
    }

    @Test func findsRandomAccessPoints() {
        let history = HistoryBuffer(span: .seconds(10), capacity: 65_536, largestRecord: 2_048)
        #expect(history.randomAccessPoint(before: .seconds(5)) == nil)
        for second in 1...30 as ClosedRange<Int64> {
            history.append([UInt8(second)], at: second, flags: second.isMultiple(of: 4) ? .randomAccess : [])
        }
        func point(_ second: Int64) -> [UInt8]? {
            guard let point = history.randomAccessPoint(before: .seconds(second)) else { return nil }
            var reader = HistoryReader(history, at: point.cursor)
            return reader.rest().first
        }
        #expect(point(1_000) == [28] && point(28) == [28])
        #expect(point(27) == [24] && point(24) == [24])
        #expect(point(23) == [20])
        #expect(point(19) == nil, "16 s has given way")
    }

    /// A point with each packet, as in radio: there are some as far back as the history goes. Of 60 s they once went back 23.
    @Test(arguments: [1, 60, 600] as [Int64]) func indexReachesAsFarAsTheHistory(seconds: Int64) throws {
        let span = Nanoseconds.seconds(seconds)
        let history = HistoryBuffer(span: span, capacity: 8 << 20)
        var now = Monotonic.seconds(100)
        while now < Monotonic.seconds(100) + span + span {
            now += .milliseconds(24)
            [1].withUnsafeBytes { _ = history.append($0, arrival: now, flags: .randomAccess) }
        }
        let oldest = try #require(history.oldestRandomAccessPoint()?.arrival)
        #expect(now - oldest <= span && now - oldest > span - max(.milliseconds(300), span / 500))
        let newest = try #require(history.randomAccessPoint(before: now)?.arrival)
        #expect(now - newest < max(.milliseconds(300), span / 500))
    }

    /// What seeks are clamped to: the oldest point that has not given way.
    @Test func findsTheOldestPoint() {
        let history = HistoryBuffer(span: .seconds(10), capacity: 65_536, largestRecord: 2_048)
        #expect(history.oldestRandomAccessPoint() == nil)
        history.append([0], at: 0)
        #expect(history.oldestRandomAccessPoint() == nil)
        for second in 1...60 as ClosedRange<Int64> {
            history.append([UInt8(second)], at: second, flags: second.isMultiple(of: 4) ? .randomAccess : [])
            let expected = second < 4 ? nil : max(4, (second - 10 + 3) / 4 * 4)
            let point = history.oldestRandomAccessPoint()
            #expect(point?.arrival == expected.map { Monotonic.seconds($0) })
            guard let point, let expected else { continue }
            var reader = HistoryReader(history, at: point.cursor)
            #expect(reader.next() == .record([UInt8(expected)], arrival: expected, flags: .randomAccess))
        }
    }

    @Test func tellsItsSpan() {
        let history = HistoryBuffer(span: .seconds(10), capacity: 65_536, largestRecord: 2_048)
        #expect(history.arrivals == nil)
        for second in 1...30 as ClosedRange<Int64> {
            history.append([1], at: second)
            #expect(history.arrivals == Monotonic.seconds(max(1, second - 10))...Monotonic.seconds(second))
        }
        history.append([1], at: 90)
        #expect(history.arrivals == Monotonic.seconds(90)...Monotonic.seconds(90), "all others gave way")
    }

    @Test func recordsKeepTheirOffset() {
        let history = HistoryBuffer(span: .seconds(10), capacity: 65_536, largestRecord: 2_048)
        let offsets: [Int64?] = [nil, 0, -1, .max, .min + 1]
        for offset in offsets {
            [1].withUnsafeBytes {
                _ = history.append($0, arrival: .seconds(1), flags: [], offset: offset.map { Nanoseconds($0) })
            }
        }
        var cursor = history.oldest
        withUnsafeTemporaryAllocation(byteCount: history.largestRecord, alignment: 16) { buffer in
            for offset in offsets {
                guard case .record(let record) = history.read(&cursor, into: buffer) else {
                    Issue.record("a record is missing")
                    return
                }
                #expect(record.offset == offset.map { Nanoseconds($0) })
            }
        }
    }
}

extension Monotonic {
    fileprivate static func seconds(_ count: Int64) -> Monotonic { Monotonic(nanoseconds: 0) + .seconds(count) }
}
