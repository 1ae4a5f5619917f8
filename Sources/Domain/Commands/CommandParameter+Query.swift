// SPDX-License-Identifier: Apache-2.0
import JSON

extension CommandParameter {
    /// The text behind `=` in a query as the value that JSON carries; whether it is accepted is another question.
    /// Integers stand there as JSON writes them.
    public func value(ofQuery text: String) -> JSONValue {
        switch kind {
        case .integer, .integerOrWord:
            if let number = Int64(text), String(number) == text { .integer(number) } else { .string(text) }
        case .flag:
            switch text {
            case "true": true
            case "false": false
            default: .string(text)
            }
        case .text, .choice, .path: .string(text)
        }
    }
}
