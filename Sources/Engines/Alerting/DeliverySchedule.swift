// SPDX-License-Identifier: Apache-2.0
import Time

/// Decides when a receiver is tried again. One message is under way at a time, the oldest first.
public struct DeliverySchedule: Equatable, Sendable {
    public enum Outcome: Equatable, Sendable {
        case delivered
        /// The receiver will never take this message.
        case refused
        /// It may take it later; after so many seconds, if it says that.
        case failed(retryAfter: Int64?)

        /// - Parameter status: of HTTP.
        public init(status: Int, retryAfter: Int64?) {
            switch status {
            case 200..<300: self = .delivered
            // The document itself is what it does not take. A wrong token or path can be put right.
            case 400, 413, 415, 422: self = .refused
            default: self = .failed(retryAfter: retryAfter)
            }
        }
    }

    static let firstPause = Nanoseconds.seconds(1)
    static let longestPause = Nanoseconds.seconds(300)
    static let longestRetry: Int64 = 3_600

    private var failuresInARow = 0
    public private(set) var due = Monotonic(nanoseconds: 0)
    public private(set) var isUnderWay = false

    public init() {}

    public func isDue(at now: Monotonic) -> Bool { !isUnderWay && now >= due }

    public mutating func began() { isUnderWay = true }

    /// - Returns: whether the message needs not be sent again.
    public mutating func ended(
        _ outcome: Outcome, at now: Monotonic, _ random: inout some RandomNumberGenerator
    ) -> Bool {
        isUnderWay = false
        guard case .failed(let retryAfter) = outcome else {
            failuresInARow = 0
            due = now
            return true
        }
        let bound = min(Self.longestPause, Self.firstPause * (Int64(1) << min(failuresInARow, 16)))
        failuresInARow += 1
        let wanted = Nanoseconds.seconds(max(0, min(retryAfter ?? 0, Self.longestRetry)))
        due = now + Nanoseconds(Int64.random(in: bound.count / 2...bound.count, using: &random)) + wanted
        return false
    }
}
