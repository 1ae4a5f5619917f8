// SPDX-License-Identifier: Apache-2.0
import JSON

extension Int64 {
    /// Reads an integer as the messages write it: `0`, or digits without leading zeros and perhaps a minus sign. nil for
    /// any other text, and if it does not fit.
    init?(decimal text: some StringProtocol) {
        // At most 19 digits and a sign; a longer text is not looked at.
        guard text.utf8.count <= 20, let value = Int64(text), text.utf8.elementsEqual(String(value).utf8) else {
            return nil
        }
        self = value
    }
}

extension JSONValue {
    /// An integer, as a decimal string or as a number. The standard asks for strings where an integer may exceed 2⁵³, and
    /// for numbers elsewhere; servers are met that send the other.
    var lenientInteger: Int64? { string.map { Int64(decimal: $0) } ?? integer }

    /// A number, likewise.
    var lenientNumber: Double? {
        guard let string else { return number }
        // A text that is no JSON is no number.
        return string.utf8.count <= 32 ? (try? JSONValue.parse(string))?.number : nil
    }
}
