// SPDX-License-Identifier: Apache-2.0
import JSON
import Terminal
import Time

/// The state of `top`'s screen: samples, events and keys go in, lines come out. Rates are differences of two samples.
struct TopScreen {
    enum Key: Equatable { case quit, pause, sort, up, down, top }
    enum Order: String { case rate, name }

    private static let eventsKept = 20

    private(set) var last: TopSnapshot?
    private(set) var before: TopSnapshot?
    /// The events as lines, newest last, which is how they are shown.
    private(set) var events: [String] = []
    /// Why the last sample failed; nil if it did not.
    private(set) var fault: String?
    private(set) var isPaused = false
    private(set) var order = Order.rate
    private(set) var firstCounter = 0

    mutating func looked(_ snapshot: TopSnapshot) {
        fault = nil
        guard !isPaused else { return }
        before = last
        last = snapshot
    }

    mutating func failed(_ why: String) { fault = TerminalText.harmless(why) }

    /// - Parameter event: an event as the command `events` returns it.
    mutating func happened(_ event: JSONValue) {
        guard !isPaused else { return }
        let line = AnswerText(isStyled: false).event(event)
        // The time is in RFC 3339. Its day and zone are left out, because they are the same for every line that is
        // shown.
        let time = line.prefix { $0 != " " }
        let isTime = time.utf8.count == 24 && time.last == "Z"
        events.append(String((isTime ? line.dropFirst(11).prefix(8) + line.dropFirst(24) : line[...]).dropLast()))
        if events.count > Self.eventsKept { events.removeFirst() }
    }

    /// - Returns: false if the key ends the program.
    mutating func pressed(_ key: Key) -> Bool {
        switch key {
        case .quit: return false
        case .pause: isPaused.toggle()
        case .sort: order = order == .rate ? .name : .rate
        case .up: firstCounter = max(0, firstCounter - 1)
        case .down: firstCounter = min(max(0, (last?.counters.count ?? 0) - 1), firstCounter + 1)
        case .top: firstCounter = 0
        }
        return true
    }

    /// The keys in octets that a terminal sent together. Octets without a meaning are ignored.
    static func keys(of octets: [UInt8]) -> [Key] {
        var keys: [Key] = []
        var rest = octets[...]
        while let octet = rest.popFirst() {
            switch octet {
            case UInt8(ascii: "q"), UInt8(ascii: "Q"), 3, 4: keys.append(.quit)
            case UInt8(ascii: " "), UInt8(ascii: "p"): keys.append(.pause)
            case UInt8(ascii: "s"): keys.append(.sort)
            case UInt8(ascii: "k"): keys.append(.up)
            case UInt8(ascii: "j"): keys.append(.down)
            case UInt8(ascii: "g"): keys.append(.top)
            case 0x1b:
                // The escape sequence of one key is ESC, "[" or "O", parameters, and a final letter.
                guard let next = rest.first, next == UInt8(ascii: "[") || next == UInt8(ascii: "O") else { continue }
                rest = rest.dropFirst().drop { (0x20..<0x40).contains($0) }
                switch rest.popFirst() {
                case UInt8(ascii: "A"): keys.append(.up)
                case UInt8(ascii: "B"): keys.append(.down)
                case UInt8(ascii: "H"): keys.append(.top)
                default: continue
                }
            default: continue
            }
        }
        return keys
    }

    /// The increase of a counter per second; nil if there is no earlier sample of the same session, if the counter has
    /// decreased, or if the box says that the statistic is no counter.
    func rate(_ name: String) -> Double? {
        guard let last, let before, last.session == before.session, last.time > before.time,
            let now = last.counters[name], let then = before.counters[name], last.totals?.contains(name) ?? true
        else { return nil }
        let (difference, overflows) = now.subtractingReportingOverflow(then)
        guard !overflows, difference >= 0 else { return nil }
        return Double(difference) * 1e9 / Double((last.time - before.time).count)
    }

    /// The counters by name, or the fastest first and equally fast ones by name, as `order` says.
    var counters: [(name: String, value: Int64, rate: Double?, unit: String?)] {
        let all = (last?.counters ?? [:]).map { ($0.key, $0.value, rate($0.key), last?.units[$0.key]) }
        return all.sorted { left, right in
            let (first, second) = (left.2 ?? 0, right.2 ?? 0)
            return order == .rate && first != second ? first > second : left.0 < right.0
        }
    }
}
