// SPDX-License-Identifier: Apache-2.0
import Bytes
import DataReception
import JSON
import Time

extension DataBus.Delivery {
    /// The message as `data follow` shows it: its octets as `text` if they are plain text, else as `base64`.
    /// - Parameters:
    ///   - wall: the current instant by the wall clock.
    ///   - now: the same instant by the monotonic clock.
    func json(at wall: WallTime, _ now: Monotonic) -> JSONValue {
        var result: JSONValue = [
            "channel": .string(channel.name), "id": .string(channel.id.text),
            "sequence": .integer(Int64(message.sequence)), "contentType": .string(contentType),
            "octets": .integer(Int64(message.octets.count)),
            "arrival": .string(WallTime(nanoseconds: wall.nanoseconds - (now - message.arrival).count).description),
        ]
        if let text {
            result["text"] = .string(text)
        } else {
            result["base64"] = .string(Base64.encode(message.octets))
        }
        return result
    }

    /// nil if the octets are not UTF-8 or have control characters other than tabulator and line ends.
    var text: String? {
        let isPlain = message.octets.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        return isPlain ? String(validating: message.octets, as: UTF8.self) : nil
    }
}
