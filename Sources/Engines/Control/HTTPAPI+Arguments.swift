// SPDX-License-Identifier: Apache-2.0
import Commands
import HTTP
import JSON
import Shapes
import Venue

/// Turns a query or a body into the arguments of a command. `CommandRequest` checks them against the command's
/// description.
extension HTTPAPI {
    static let partLimit = 64

    func query(of request: HTTPRequest, for command: CommandDescription) throws(HTTPRefusal) -> JSONValue {
        guard case .octets(let octets) = request.body, octets.isEmpty else {
            throw HTTPRefusal(400, .failure(.usage, "\(request.method.rawValue) with a body; expected a query"))
        }
        return .object(try Self.values(of: request.query, command.requestFields))
    }

    func body(of request: HTTPRequest) throws(HTTPRefusal) -> JSONValue {
        guard request.query.allSatisfy(\.isEmpty) else {
            throw HTTPRefusal(400, .failure(.usage, "POST with a query; expected the arguments as the body"))
        }
        return try document(of: request)
    }

    /// The body as one argument of a command, and the query as the others.
    /// - Parameter argument: the name of the argument that the body is.
    func document(
        of request: HTTPRequest, as argument: String, for command: CommandDescription
    ) throws(HTTPRefusal) -> JSONValue {
        // An absent document is not an empty one, which would reset every setting.
        if case .octets(let octets) = request.body, octets.isEmpty {
            throw HTTPRefusal(400, .failure(.usage, "the body is empty; expected \(argument) as JSON"))
        }
        var arguments = try Self.values(of: request.query, command.requestFields)
        guard arguments[argument] == nil else {
            throw HTTPRefusal(400, .failure(.usage, "query: \(argument) is the body"))
        }
        arguments[argument] = try document(of: request)
        return .object(arguments)
    }

    private func document(of request: HTTPRequest) throws(HTTPRefusal) -> JSONValue {
        switch request.body {
        case .tooLarge(let limit):
            throw HTTPRefusal(413, .failure(.usage, "the body has more than \(limit) octets"))
        case .ofUnknownLength: throw HTTPRefusal(411, .failure(.usage, "expected Content-Length, a number"))
        case .octets(let octets):
            if octets.isEmpty { return [:] }
            let type = request.contentType.flatMap { MediaRange($0) }
            guard type?.type == "application", type?.subtype == "json" else {
                throw HTTPRefusal(415, .failure(.usage, "Content-Type: expected application/json"))
            }
            do {
                return try JSONValue.parse(octets, limits: JSONLimits(maximumOctets: ControlSession.lineLimit))
            } catch {
                // RFC 8259 has numbers without bounds: one beyond ours is JSON, and cannot be taken all the same.
                let isOfRange = error.reason == .numberOutOfRange
                throw HTTPRefusal(
                    isOfRange ? 422 : 400, .failure(.usage, isOfRange ? "\(error)" : "not JSON: \(error)"))
            }
        }
    }

    func pictureQuery(_ query: [[UInt8]]) throws(HTTPRefusal) -> PictureQuery {
        // Pages append a part without "=" to make the address a new one, so that the browser loads it again.
        let named = query.filter { $0.contains(UInt8(ascii: "=")) }
        let values = try Self.checked(named, PictureQuery.fields)
        var picture = PictureQuery()
        if let value = values["fps"]?.integer { picture.perSecond = Int(value) }
        return picture
    }

    /// The arguments of a WebSocket that follows the stream of the command `name`.
    func followed(_ request: HTTPRequest, _ name: String) throws(HTTPRefusal) -> [String: JSONValue] {
        guard let command = catalogue[name] else { return [:] }
        return try Self.checked(request.query, command.httpFields)
    }

    /// The checked arguments of a request all of whose parameters are optional.
    private static func checked(
        _ query: [[UInt8]], _ fields: [FieldDescription]
    ) throws(HTTPRefusal) -> [String: JSONValue] {
        let values = try values(of: query, fields)
        for (name, value) in values {
            guard let field = fields.first(where: { $0.name == name }) else {
                throw HTTPRefusal(400, .failure(.usage, "unexpected argument \(JSONValue.string(name).text())"))
            }
            guard field.type.accepts(value) else {
                throw HTTPRefusal(400, .failure(.usage, "\(name): expected \(field.type.expectation)"))
            }
        }
        return values
    }

    /// The values of a query, each part of which is `name=value`. No name may appear twice.
    private static func values(
        of query: [[UInt8]], _ fields: [FieldDescription]
    ) throws(HTTPRefusal) -> [String: JSONValue] {
        func refuse(_ text: String) -> HTTPRefusal { HTTPRefusal(400, .failure(.usage, "query: \(text)")) }
        guard query.count <= partLimit else { throw refuse("expected at most \(partLimit) arguments") }
        var values: [String: JSONValue] = [:]
        for part in query where !part.isEmpty {
            guard let text = String(validating: part, as: UTF8.self) else { throw refuse("expected UTF-8") }
            guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                throw refuse("\(JSONValue.string(text).text()) has no value")
            }
            // Split by octets, because the value may begin with a mark that combines with "=" to one Character.
            let name = String(text.utf8[..<equals]) ?? ""
            let value = String(text.utf8[text.utf8.index(after: equals)...]) ?? ""
            guard values[name] == nil else { throw refuse("\(JSONValue.string(name).text()) is there twice") }
            let field = fields.first { $0.name == name }
            values[name] = field?.value(ofQuery: value) ?? .string(value)
        }
        return values
    }
}
