// SPDX-License-Identifier: Apache-2.0

/// Why a message cannot be sent.
public enum MessageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The message does not have 1...65 536 octets.
    case length(Int)
    /// The content type is longer than 127 octets or not printable ASCII.
    case contentType(String)

    public var description: String {
        switch self {
        case .length(let octets): "a message of \(octets) octets; expected 1...\(DataMessage.mostOctets)"
        case .contentType(let text):
            "content type \"\(text)\"; expected at most \(MessageFragment.mostTypeOctets) characters of printable ASCII"
        }
    }
}
