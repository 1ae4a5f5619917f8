// SPDX-License-Identifier: Apache-2.0
import Media
import Time

/// A cursor with a buffer of its own, and results that compare.
struct HistoryReader {
    enum Result: Equatable {
        case record([UInt8], arrival: Int64, flags: HistoryBuffer.Flags)
        case atLive
        case overrun(oldest: HistoryBuffer.Cursor)
    }

    let history: HistoryBuffer
    var cursor: HistoryBuffer.Cursor
    private var buffer: [UInt8]

    init(_ history: HistoryBuffer, at cursor: HistoryBuffer.Cursor) {
        self.history = history
        self.cursor = cursor
        buffer = [UInt8](repeating: 0xee, count: history.largestRecord)
    }

    mutating func next() -> Result {
        switch buffer.withUnsafeMutableBytes({ history.read(&cursor, into: $0) }) {
        case .record(let record):
            .record(Array(buffer[..<record.octets]), arrival: record.arrival.seconds, flags: record.flags)
        case .atLive: .atLive
        case .overrun(let oldest): .overrun(oldest: oldest)
        }
    }

    /// Payloads up to the live end.
    mutating func rest() -> [[UInt8]] {
        var payloads: [[UInt8]] = []
        while case .record(let payload, _, _) = next() { payloads.append(payload) }
        return payloads
    }
}

extension Monotonic {
    fileprivate var seconds: Int64 { nanoseconds / 1_000_000_000 }
}

extension HistoryBuffer {
    /// Appends what arrived at a whole second.
    @discardableResult
    func append(_ payload: [UInt8], at second: Int64, flags: Flags = []) -> Bool {
        payload.withUnsafeBytes { append($0, arrival: Monotonic(nanoseconds: second * 1_000_000_000), flags: flags) }
    }
}
