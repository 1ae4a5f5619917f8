// SPDX-License-Identifier: Apache-2.0
import JSON

/// A further way to give a command by HTTP: a method on the path of another command, with the body as one argument.
public struct HTTPRoute: Equatable, Sendable {
    public enum Method: String, Sendable, CaseIterable { case put, patch }

    public let method: Method
    /// Without the prefix of the API.
    public let path: String
    /// The argument that the body is.
    public let body: String

    public init(_ method: Method, _ path: String, body: String) {
        self.method = method
        self.path = path
        self.body = body
    }

    var document: JSONValue { ["method": .string(method.rawValue), "path": .string(path), "body": .string(body)] }

    init?(document: JSONValue) {
        guard let method = document["method"]?.string.flatMap({ Method(rawValue: $0) }),
            let path = document["path"]?.string, let body = document["body"]?.string
        else { return nil }
        self.init(method, path, body: body)
    }
}
