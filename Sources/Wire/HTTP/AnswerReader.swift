// SPDX-License-Identifier: Apache-2.0

/// Reads one answer of HTTP/1.1 with `Content-Length` (RFC 9112), piece by piece, as the reporter and proxies in front of it
/// send it.
public struct AnswerReader: Sendable {
    public struct Answer: Equatable, Sendable {
        public var status = 0
        /// Seconds; nil if there is none, or a date.
        public var retryAfter: Int64?
        public var closes = false
        public var body: [UInt8] = []

        public init(status: Int = 0, retryAfter: Int64? = nil, closes: Bool = false, body: [UInt8] = []) {
            (self.status, self.retryAfter, self.closes, self.body) = (status, retryAfter, closes, body)
        }
    }

    public enum Result: Equatable, Sendable {
        case incomplete
        case whole(Answer)
        /// It is none, or larger than any answer to reports.
        case refused
    }

    public static let mostHeadOctets = 8 << 10
    public static let mostBodyOctets = 256 << 10
    private static let end: [UInt8] = [13, 10, 13, 10]

    private var octets: [UInt8] = []
    private var head: (answer: Answer, length: Int, bodyStart: Int)?

    public init() {}

    public var isEmpty: Bool { octets.isEmpty }

    /// - Parameter piece: what came next. After a whole answer the reader is as a new one; after a refusal it is of no use.
    public mutating func add(_ piece: ArraySlice<UInt8>) -> Result {
        octets += piece
        if head == nil {
            let searched = octets.prefix(Self.mostHeadOctets)
            guard
                let start = searched.indices.first(where: { octets[$0] == 13 && octets[$0...].starts(with: Self.end) })
            else {
                return octets.count < Self.mostHeadOctets ? .incomplete : .refused
            }
            guard let read = Self.read(octets[..<start]), read.length <= Self.mostBodyOctets else { return .refused }
            head = (read.answer, read.length, start + Self.end.count)
        }
        guard let (head, length, start) = head else { return .refused }
        guard octets.count >= start + length else { return .incomplete }
        guard octets.count == start + length else { return .refused }  // nothing else was asked for
        var answer = head
        answer.body = Array(octets[start...])
        self = AnswerReader()
        return .whole(answer)
    }

    private static func read(_ head: ArraySlice<UInt8>) -> (answer: Answer, length: Int)? {
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = (lines.first ?? "").split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]), (200...599).contains(status) else {
            return nil
        }
        var answer = Answer(status: status)
        var length: Int? = status == 204 || status == 304 ? 0 : nil
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            switch line[..<colon].lowercased() {
            case "content-length":
                guard let count = Int(value), count >= 0 else { return nil }
                length = count
            case "retry-after": answer.retryAfter = Int64(value)
            case "connection": answer.closes = value.lowercased() == "close"
            case "transfer-encoding": return nil
            default: break
            }
        }
        return length.map { (answer, $0) }
    }
}
