// SPDX-License-Identifier: Apache-2.0
import Bytes
import Media

/// What is read can be written, and read again as the same.
func fuzzInputLog(_ bytes: UnsafeRawBufferPointer) {
    var writer = WireWriter()
    var count = 0
    // Refusing is an answer; what came before was read.
    try? InputLog.read(bytes) { entry in
        guard entry.address.utf8.count <= 64, entry.payload.count <= 65_535 else { return }
        let payload = UnsafeRawBufferPointer(rebasing: bytes[entry.payload])
        InputLog.write(
            entry.kind, at: entry.time, address: entry.address, port: entry.port, payload: payload, to: &writer)
        count += 1
    }
    guard count > 0 else { return }
    var again = 0
    do {
        try writer.bytes.withUnsafeBytes { bytes in try InputLog.read(bytes) { _ in again += 1 } }
    } catch {
        preconditionFailure("\(error) in a log of ours")
    }
    precondition(again == count)
}
