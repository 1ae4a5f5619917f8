// SPDX-License-Identifier: Apache-2.0
import JSON

/// What is read can be written, and read again as the same.
func fuzzJSON(_ bytes: UnsafeRawBufferPointer) {
    guard let value = try? JSONValue.parse(bytes) else { return }  // refusing is an answer; only a trap is not
    let again = try? JSONValue.parse(value.octets(), limits: JSONLimits(maximumOctets: 6 << 20))
    precondition(again == value)
}
