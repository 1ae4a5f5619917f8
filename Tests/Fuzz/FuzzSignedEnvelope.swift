// SPDX-License-Identifier: Apache-2.0
import JSON
import SignedEnvelopes

/// What is read can be written, and read again as the same.
func fuzzSignedEnvelope(_ bytes: UnsafeRawBufferPointer) {
    guard let envelope = try? SignedEnvelope(parsing: Array(bytes)) else { return }  // refusing is an answer
    precondition((1...SignedEnvelope.mostSignatures).contains(envelope.signatures.count))
    precondition(envelope.signedOctets.count > envelope.payload.count)
    _ = try? SignedOrder(payload: envelope.payload)  // as above
    _ = try? SignedCommand(payload: envelope.payload)  // as above
    let text = envelope.json.octets()
    // The text may have grown over the bound: control characters are escaped.
    guard text.count <= SignedEnvelope.mostOctets else { return }
    guard let again = try? SignedEnvelope(parsing: text) else { preconditionFailure("it is not read again") }
    precondition(again == envelope)
}

/// Likewise.
func fuzzSignedOrder(_ bytes: UnsafeRawBufferPointer) {
    guard let order = try? SignedOrder(payload: Array(bytes)) else { return }  // as above
    precondition(SignedOrder.revisions.contains(order.revision))
    guard order.octets.count <= SignedOrder.mostOctets else { return }
    guard let again = try? SignedOrder(payload: order.octets) else { return }  // times are written in milliseconds
    precondition(again.revision == order.revision && again.target == order.target)
}

/// Likewise.
func fuzzSignedCommand(_ bytes: UnsafeRawBufferPointer) {
    guard let command = try? SignedCommand(payload: Array(bytes)) else { return }  // as above
    precondition(SignedCommand.sequences.contains(command.sequence))
    precondition(command.sent < command.expires && command.arguments.object != nil)
    if let actAt = command.actAt { precondition(command.sent <= actAt && actAt < command.expires) }
    // Times are written in milliseconds, so that two of them may have become one, and escapes may have made it too long.
    guard let again = try? SignedCommand(payload: command.octets) else { return }
    precondition(again.sequence == command.sequence && again.target == command.target)
    precondition(again.command == command.command && again.arguments == command.arguments)
}
