// SPDX-License-Identifier: Apache-2.0

/// Divides a stream of octets into lines of bounded length. A line that is too long is reported once and skipped to its
/// end.
public struct LineFramer: Sendable {
    public enum Line: Equatable, Sendable {
        /// A line without its line feed and without a carriage return before it.
        case whole([UInt8])
        case tooLong
    }

    private let limit: Int
    private var buffer: [UInt8] = []
    private var start = 0
    private var searched = 0
    private var isSkipping = false

    /// - Parameter limit: octets of the longest line without its line feed.
    public init(limit: Int) { self.limit = limit }

    /// Octets that are not yet part of a returned line.
    public var count: Int { buffer.count - start }

    /// Whether there is a whole line, even one that `next` skips.
    public var hasLine: Bool { buffer[searched...].contains(UInt8(ascii: "\n")) }

    public mutating func append(_ bytes: some Sequence<UInt8>) { buffer.append(contentsOf: bytes) }

    /// The next line; nil until more octets are appended. Empty lines are skipped.
    public mutating func next() -> Line? {
        while let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
            var line = buffer[start..<end]
            start = end + 1
            searched = start
            if isSkipping {
                isSkipping = false
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if line.isEmpty { continue }
            return line.count > limit ? .tooLong : .whole(Array(line))
        }
        searched = buffer.count
        if isSkipping || count > limit + 1 {
            defer { isSkipping = true }
            forget(keeping: 0)
            return isSkipping ? nil : .tooLong
        }
        forget(keeping: count)
        return nil
    }

    private mutating func forget(keeping count: Int) {
        buffer.removeFirst(buffer.count - count)
        start = 0
        searched = count
    }
}
