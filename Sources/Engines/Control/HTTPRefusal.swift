// SPDX-License-Identifier: Apache-2.0
import HTTP
import Venue

/// Why a request is refused: the HTTP status code and the status that becomes the body.
struct HTTPRefusal: Error, Equatable {
    let code: Int
    let status: Status
    let allow: [HTTPMethod]

    init(_ code: Int, _ status: Status, allow: [HTTPMethod] = []) {
        self.code = code
        self.status = status
        self.allow = allow
    }

    var response: HTTPResponse {
        var response = HTTPResponse.document(status.json.octets(), type: "application/json", code: code)
        if !allow.isEmpty { response.fields.append(("Allow", allow.map(\.rawValue).joined(separator: ", "))) }
        if code == 503 { response.fields.append(("Retry-After", "1")) }
        return response
    }
}

extension Status {
    /// The HTTP status code for this status.
    var httpCode: Int {
        switch code {
        case .ok: 200
        case .usage: 400
        case .failed: 409
        case .configuration: 422
        case .unreachable: 502
        case .busy: 503
        }
    }
}
