// SPDX-License-Identifier: Apache-2.0
import Shapes

extension TextFormat {
    /// Names one start of the service.
    static let boot = TextFormat(
        "the id of a start like 0000000a-0123456789abcdef", schema: ["pattern": "^[0-9a-f]{8}-[0-9a-f]{16}$"]
    ) { text in
        let octets = Array(text.utf8)
        return octets.count == 25
            && octets.indices.allSatisfy { index in
                switch octets[index] {
                case UInt8(ascii: "-"): index == 8
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): index != 8
                default: false
                }
            }
    }
}
