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

    /// The response with the file of an incident. A file never changes, so whoever was interrupted goes on where it ended.
    /// - Parameter range: the field `Range`; nil if there is none.
    public func response(
        toIncident outcome: Result<[UInt8], Status>, _ id: String, range: String?
    ) -> HTTPResponse {
        switch outcome {
        case .failure(let status): HTTPRefusal(404, status).response
        case .success(let file): Self.response(file, type: "application/octet-stream", id: id, range: range)
        }
    }
}
