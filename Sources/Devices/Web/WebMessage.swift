// SPDX-License-Identifier: Apache-2.0

/// Puts the text messages of one WebSocket together from their fragments (RFC 6455 §5.4).
struct WebMessage {
    enum Outcome: Equatable {
        case incomplete
        case whole([UInt8])
        /// The connection is to be closed with this status code (RFC 6455 §7.4.1).
        case refused(status: UInt16)
    }

    /// Octets of one message.
    let limit: Int
    private var octets: [UInt8] = []

    init(limit: Int) { self.limit = limit }

    /// - Parameters:
    ///   - isBinary: whether the message that the piece belongs to is not text.
    ///   - isLast: whether the piece ends its message.
    mutating func append(_ piece: UnsafeRawBufferPointer, isBinary: Bool, isLast: Bool) -> Outcome {
        guard !isBinary else { return refuse(1_003) }
        guard piece.count <= limit - octets.count else { return refuse(1_009) }
        octets.append(contentsOf: piece)
        guard isLast else { return .incomplete }
        guard String(validating: octets, as: UTF8.self) != nil else { return refuse(1_007) }
        defer { octets = [] }
        return .whole(octets)
    }

    private mutating func refuse(_ status: UInt16) -> Outcome {
        octets = []
        return .refused(status: status)
    }
}
