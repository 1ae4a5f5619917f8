// SPDX-License-Identifier: Apache-2.0
import Time

/// Messages that are sent in turn at even intervals, again and again.
public struct MessageSchedule: Equatable, Sendable {
    public var messages: [OutgoingMessage]
    public var interval: Nanoseconds
    /// Whether `{clock}` and `{count}` are replaced by the time of day and the number of earlier turns.
    public var hasPlaceholders: Bool

    public init(_ messages: [OutgoingMessage], every interval: Nanoseconds, hasPlaceholders: Bool) {
        self.messages = messages
        self.interval = interval
        self.hasPlaceholders = hasPlaceholders
    }

    /// The message of a turn, counted from 0; nil when there are no messages.
    func message(_ turn: Int, clock: String) -> OutgoingMessage? {
        guard !messages.isEmpty else { return nil }
        var message = messages[turn % messages.count]
        if hasPlaceholders {
            let text = String(decoding: message.octets, as: UTF8.self)
            message.octets = Array(
                Self.replacing("{count}", by: "\(turn)", in: Self.replacing("{clock}", by: clock, in: text)).utf8)
        }
        return message
    }

    private static func replacing(_ placeholder: String, by value: String, in text: String) -> String {
        var rest = Array(text.utf8)[...]
        let sought = Array(placeholder.utf8)
        var result: [UInt8] = []
        while let octet = rest.first {
            if rest.starts(with: sought) {
                result += value.utf8
                rest = rest.dropFirst(sought.count)
            } else {
                result.append(octet)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
