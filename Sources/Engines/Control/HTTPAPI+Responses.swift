// SPDX-License-Identifier: Apache-2.0
import Bytes
import HTTP
import JSON
import Venue

extension HTTPAPI {
    /// What stands between the pictures of `streamed`.
    public static let boundary = "touchline-picture"

    /// The answer to a command: its result itself, or the status that it failed with.
    public func response(to outcome: Result<JSONValue, Status>, _ form: Form) -> HTTPResponse {
        switch outcome {
        case .failure(let status): return HTTPRefusal(status.httpCode, status).response
        case .success(let result):
            if form == .png, let picture = result["png"]?.string.flatMap({ Base64.decode($0) }) {
                return .document(picture, type: "image/png")
            }
            return .document(result.octets(), type: "application/json")
        }
    }

    /// - Parameter type: of the text, with its version.
    public static func metrics(_ text: String, type: String) -> HTTPResponse {
        .document(Array(text.utf8), type: type)
    }

    /// The head of a moving picture and of its first part; each of its pieces is a `part`.
    public var streamed: HTTPResponse {
        HTTPResponse(
            200,
            fields: [
                ("Content-Type", "multipart/x-mixed-replace; boundary=\(Self.boundary)"), ("Cache-Control", "no-store"),
            ] + HTTPResponse.guards, body: .stream(opening: Self.partHead))
    }

    /// A picture, the delimiter that ends it (RFC 2046 §5.1.1) and the head of the next: a browser shows a picture when
    /// it has read these behind it, and the next picture may be long in coming.
    public static func part(_ picture: [UInt8]) -> [UInt8] { picture + [0x0d, 0x0a] + partHead }

    /// Says no length: it is sent before there is a picture.
    private static let partHead = Array("--\(boundary)\r\nContent-Type: image/jpeg\r\n\r\n".utf8)
}

extension HTTPResponse {
    /// Of every response: what comes from here is used here, as what it says it is.
    static let guards = [
        (name: "X-Content-Type-Options", value: "nosniff"),
        (name: "Cross-Origin-Resource-Policy", value: "same-origin"),
        (name: "Referrer-Policy", value: "no-referrer"),
    ]

    static func document(_ octets: [UInt8], type: String, code: Int = 200) -> HTTPResponse {
        HTTPResponse(
            code, fields: [("Content-Type", type), ("Cache-Control", "no-store")] + guards, body: .octets(octets))
    }
}
