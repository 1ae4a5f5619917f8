// SPDX-License-Identifier: Apache-2.0
import JSON

/// The outcome of a call (SVM-06); in JSON `{"isOk":…,"errorString":"…","code":…}`.
public struct Status: Error, Equatable, Sendable {
    /// Also the exit codes of the programs; see `config/CONVENTIONS.md`.
    public enum Code: Int, Sendable {
        case ok = 0
        case failed = 1
        case usage = 2
        case unreachable = 69
        case busy = 75
        case configuration = 78
    }

    public let code: Code
    /// Empty when ok; otherwise the field, its value and what was expected.
    public let errorString: String

    public var isOk: Bool { code == .ok }

    private init(_ code: Code, _ errorString: String) {
        self.code = code
        self.errorString = errorString
    }

    public static let ok = Status(.ok, "")

    public static func failure(_ code: Code, _ errorString: String) -> Status {
        precondition(code != .ok)
        return Status(code, errorString)
    }

    public var json: JSONValue {
        ["isOk": .bool(isOk), "errorString": .string(errorString), "code": .integer(Int64(code.rawValue))]
    }
}
