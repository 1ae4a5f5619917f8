// SPDX-License-Identifier: Apache-2.0
import Commands
import HTTP
import Venue

/// Files that are answered whole or in part, and that of the last capture: `GET /v1/capture/file.pcap`, for whom the command
/// `capture-read` is.
extension HTTPAPI {
    /// The command `capture` itself answers how it fares, at the path without the file's name.
    private static let capture = "capture/file.pcap"
    private static let captureCommand = "capture-read"

    /// - Parameter name: the path behind `prefix`.
    /// - Returns: nil if the path is not that of the file.
    func capture(_ request: HTTPRequest, at name: String, of caller: Caller) throws(HTTPRefusal) -> Action? {
        guard name == Self.capture, let command = catalogue[Self.captureCommand] else { return nil }
        try check(request, for: [.get, .head])
        try check(caller, for: command)
        return .capture(range: request.range)
    }

    /// The response with the file of the last capture.
    /// - Parameter range: the field `Range`; nil if there is none.
    public func response(
        toCapture outcome: Result<(id: String, octets: [UInt8]), Status>, range: String?
    ) -> HTTPResponse {
        switch outcome {
        case .failure(let status): HTTPRefusal(status.code == .busy ? 409 : 404, status).response
        case .success(let file):
            Self.response(file.octets, type: "application/vnd.tcpdump.pcap", id: file.id, range: range)
        }
    }

    /// A file, or the part of it that the request asks for.
    /// - Parameters:
    ///   - id: tells it from any other at its path.
    ///   - range: the field `Range`; nil if there is none.
    static func response(_ file: [UInt8], type: String, id: String, range: String?) -> HTTPResponse {
        var response = HTTPResponse.document(file, type: type)
        response.fields += [("Accept-Ranges", "bytes"), ("ETag", "\"\(id)\"")]
        switch ByteRange(range, of: file.count) {
        case .whole: break
        case .part(let part):
            response.code = 206
            response.fields.append(
                ("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.count)"))
            response.body = .octets(Array(file[part]))
        case .notThere:
            response.code = 416
            response.fields.append(("Content-Range", "bytes */\(file.count)"))
            response.body = .octets([])
        }
        return response
    }
}
