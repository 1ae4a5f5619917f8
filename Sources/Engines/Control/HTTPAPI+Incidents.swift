// SPDX-License-Identifier: Apache-2.0
import Commands
import HTTP
import Venue

/// The files of incidents: `GET /v1/incidents/ID`, for whom the command `incident-read` is.
extension HTTPAPI {
    static let incidents = "incidents/"
    private static let command = "incident-read"

    /// - Parameter name: the path behind `prefix`.
    /// - Returns: nil if the path is none of an incident.
    func incident(
        _ request: HTTPRequest, at name: String, of caller: Caller
    ) throws(HTTPRefusal) -> Action? {
        guard name.hasPrefix(Self.incidents), let command = catalogue[Self.command] else { return nil }
        try check(request, for: [.get, .head])
        try check(caller, for: command)
        return .incident(id: String(name.dropFirst(Self.incidents.count)), range: request.range)
    }

    /// The response with the file of an incident, or the part of it that the request asks for. A file never changes, so
    /// whoever was interrupted goes on where it ended.
    /// - Parameter range: the field `Range`; nil if there is none.
    public func response(
        toIncident outcome: Result<[UInt8], Status>, _ id: String, range: String?
    ) -> HTTPResponse {
        switch outcome {
        case .failure(let status): return HTTPRefusal(404, status).response
        case .success(let file):
            var response = HTTPResponse.document(file, type: "application/octet-stream")
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
}
