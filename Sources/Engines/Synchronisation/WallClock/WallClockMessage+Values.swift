// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Time

extension WallClockResponse {
    /// Nil for a request, and for an originate time value that no request of ours had.
    init?(_ message: WallClockMessage) {
        let kind: Kind
        switch message.kind {
        case .request: return nil
        case .response: kind = .response
        case .responseBeforeFollowUp: kind = .responseToBeFollowedUp
        case .followUp: kind = .followUp
        }
        guard let originate = WallClockTime(timeValue: message.originate) else { return nil }
        self.init(
            kind, originate: Monotonic(nanoseconds: originate.nanoseconds),
            requestReceived: WallClockInstant(nanoseconds: message.receive.nanoseconds),
            responseSent: WallClockInstant(nanoseconds: message.transmit.nanoseconds),
            server: ClockQuality(
                precision: message.precisionSpan,
                frequencyError: FrequencyError(units: Int64(message.maximumFrequencyError))))
    }
}

extension WallClockMessage {
    /// - Parameter originate: of the requester's action; its seconds fit into 32 bits.
    static func request(originate: Monotonic) -> WallClockMessage {
        .request(originate: WallClockTime(nanoseconds: originate.nanoseconds).timeValue)
    }

    /// - Parameter sent: when the response was sent.
    init(
        _ kind: Kind, to originate: UInt64, _ answer: WallClockResponder.Answer, sent: WallClockInstant
    ) {
        self.init(
            kind, precision: Self.precision(of: answer.server.precision),
            maximumFrequencyError: UInt32(clamping: answer.server.frequencyError.units), originate: originate,
            receive: WallClockTime(nanoseconds: answer.requestReceived.nanoseconds),
            transmit: WallClockTime(nanoseconds: sent.nanoseconds))
    }
}
