// SPDX-License-Identifier: Apache-2.0

/// Why there is no answer.
public enum TransferFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The body is longer than was allowed.
    case tooLong(limit: Int)
    case timedOut
    /// More transfers are under way than the client takes.
    case tooMany(limit: Int)
    /// - Parameter reason: libcurl's word.
    case failed(reason: String)

    public var description: String {
        switch self {
        case .tooLong(let limit): "the answer has more than \(limit) octets"
        case .timedOut: "no answer in time"
        case .tooMany(let limit): "\(limit) transfers are under way"
        case .failed(let reason): reason
        }
    }
}
