// SPDX-License-Identifier: Apache-2.0
import Bytes
import DataReception
import JSON
import Time

extension DataBus.Delivery {
    /// As `data follow` shows it. What is text is `text`; all else `base64`.
    /// - Parameters: the same instant by two clocks.
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

    /// Nil for what no text is: other than UTF-8, or with controls beyond tabulator and line ends.
    var text: String? {
        let isPlain = message.octets.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        return isPlain ? String(validating: message.octets, as: UTF8.self) : nil
    }
}
