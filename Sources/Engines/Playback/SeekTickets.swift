// SPDX-License-Identifier: Apache-2.0

/// The answers that are still owed to those who asked for a seek, by ticket.
struct SeekTickets {
    private var answers: [Int: (Result<SeekOutcome, SeekError>) -> Void] = [:]
    private var last = 0

    /// - Returns: the ticket under which the controller answers.
    mutating func add(_ answer: @escaping (Result<SeekOutcome, SeekError>) -> Void) -> Int {
        last += 1
        answers[last] = answer
        return last
    }

    /// - Returns: what to call with the answer; nil if the ticket was answered already.
    mutating func take(_ ticket: Int) -> ((Result<SeekOutcome, SeekError>) -> Void)? {
        answers.removeValue(forKey: ticket)
    }
}
