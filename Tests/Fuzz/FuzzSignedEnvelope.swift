// SPDX-License-Identifier: Apache-2.0
import JSON
import SignedEnvelopes

/// What is read can be written, and read again as the same.
func fuzzSignedEnvelope(_ bytes: UnsafeRawBufferPointer) {
    guard let envelope = try? SignedEnvelope(parsing: Array(bytes)) else { return }  // refusing is an answer
    precondition((1...SignedEnvelope.mostSignatures).contains(envelope.signatures.count))
    precondition(envelope.signedOctets.count > envelope.payload.count)
    _ = try? SignedOrder(payload: envelope.payload)  // as above
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
