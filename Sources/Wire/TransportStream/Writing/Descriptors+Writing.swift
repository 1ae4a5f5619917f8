// SPDX-License-Identifier: Apache-2.0
import Bytes

extension Descriptors {
    /// - Precondition: `content` writes at most 255 octets.
    static func write(_ tag: UInt8, to out: inout WireWriter, content: (inout WireWriter) -> Void) {
        out.write(tag)
        let place = out.count
        out.write(UInt8(0))
        content(&out)
        precondition(out.count - place - 1 <= 255)
        out.overwrite(UInt8(out.count - place - 1), at: place)
    }
}
