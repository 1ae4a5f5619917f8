// SPDX-License-Identifier: Apache-2.0
import Network
import Time

/// Decides which responses of one socket are followed up with the time at which they left. Not every interface says when,
/// so that a follow-up is announced only after a stamp has come.
struct WallClockFollowUps {
    /// A response that was sent and whose stamp is waited for.
    struct Response {
        let client: DatagramPeer
        let originate: UInt64
        let answer: WallClockResponder.Answer
        let isAnnounced: Bool
    }

    /// Well below the time after which clients do without.
    static let timeout = Nanoseconds.milliseconds(50)
    /// An interface without stamps is asked for one so often.
    static let trialInterval = Nanoseconds.seconds(1)
    /// Responses whose stamp is waited for at the same time; others are not followed up.
    static let most = 256

    private(set) var areStampsGiven = false
    private var waiting: [UInt32: (response: Response, deadline: Monotonic)] = [:]
    private var nextTrial: Monotonic?

    /// Whether the next response is followed up.
    var isAnnounced: Bool { areStampsGiven && waiting.count < Self.most }

    /// Whether the kernel is asked when the next response leaves.
    func isStamped(at now: Monotonic) -> Bool {
        areStampsGiven ? isAnnounced : nextTrial.map { $0 <= now } ?? true
    }

    /// When to call `expired` next; nil if nothing is waited for.
    var deadline: Monotonic? { waiting.values.map(\.deadline).min() }

    /// - Parameter number: of its stamp.
    mutating func responseSent(_ response: Response, number: UInt32, at now: Monotonic) {
        waiting[number] = (response, now + Self.timeout)
        nextTrial = now + Self.trialInterval
    }

    /// - Returns: the response that left, if it was announced to be followed up.
    mutating func stampCame(number: UInt32) -> Response? {
        guard let response = waiting.removeValue(forKey: number)?.response else { return nil }
        areStampsGiven = true
        return response.isAnnounced ? response : nil
    }

    /// - Returns: announced responses for whose stamp nothing waits any longer. The client still does.
    mutating func expired(at now: Monotonic) -> [Response] {
        let late = waiting.filter { $0.value.deadline <= now }
        guard !late.isEmpty else { return [] }
        for number in late.keys { waiting[number] = nil }
        areStampsGiven = false
        return Self.announced(late)
    }

    /// No stamps come for what was sent until now.
    /// - Returns: announced responses.
    mutating func numbersRestarted() -> [Response] {
        defer { waiting = [:] }
        return Self.announced(waiting)
    }

    private static func announced(_ responses: [UInt32: (response: Response, deadline: Monotonic)]) -> [Response] {
        responses.sorted { $0.key < $1.key }.map(\.value.response).filter(\.isAnnounced)
    }
}
