// SPDX-License-Identifier: Apache-2.0
import Bytes
import HTTP
import JSON
import Venue

extension HTTPAPI {
    /// The boundary of the multipart response `streamed` (RFC 2046 §5.1.1).
    public static let boundary = "touchline-picture"

    /// The response to a command: its result alone, or the status that it failed with.
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

    /// - Parameter type: the media type of the text, with its version.
    public static func metrics(_ text: String, type: String) -> HTTPResponse {
        .document(Array(text.utf8), type: type)
    }

    /// The beginning of a stream of pictures, up to the head of its first part. Each picture then follows as a `part`.
    public var streamed: HTTPResponse {
        HTTPResponse(
            200,
            fields: [
                ("Content-Type", "multipart/x-mixed-replace; boundary=\(Self.boundary)"), ("Cache-Control", "no-store"),
            ] + HTTPResponse.guards, body: .stream(opening: Self.partHead))
    }

    /// A picture, the delimiter that ends it (RFC 2046 §5.1.1) and the head of the next part. The delimiter is sent at
    /// once because a browser shows a picture only when it has read the delimiter, and the next picture may come much
    /// later.
    public static func part(_ picture: [UInt8]) -> [UInt8] { picture + [0x0d, 0x0a] + partHead }

    /// Has no Content-Length, because it is sent before the picture exists.
    private static let partHead = Array("--\(boundary)\r\nContent-Type: image/jpeg\r\n\r\n".utf8)
}

extension HTTPResponse {
    /// Header fields of every response: browsers neither guess another media type, nor let other origins load the
    /// response, nor send its address elsewhere.
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
