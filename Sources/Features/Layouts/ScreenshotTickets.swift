// SPDX-License-Identifier: Apache-2.0
import Commands

/// The answers that are still owed to those who asked for a screenshot, by ticket. Tickets count from 1.
struct ScreenshotTickets {
    private var replies: [Int: Reply<ScreenshotFile>] = [:]
    private var last = 0

    mutating func add(_ reply: Reply<ScreenshotFile>) -> Int {
        last += 1
        replies[last] = reply
        return last
    }

    /// - Returns: nil if the ticket was answered already.
    mutating func take(_ ticket: Int) -> Reply<ScreenshotFile>? { replies.removeValue(forKey: ticket) }
}
