// SPDX-License-Identifier: Apache-2.0
import HTTP
import Venue

/// Why a request is refused: the HTTP status code and the status that becomes the body.
struct HTTPRefusal: Error, Equatable {
    let code: Int
    let status: Status
    let allow: [HTTPMethod]
    /// After how many seconds it may go otherwise; nil if it is no matter of time.
    let retryAfter: Int?
    /// Whether the browser is to forget its session, which is none.
    let endsSession: Bool

    init(
        _ code: Int, _ status: Status, allow: [HTTPMethod] = [], retryAfter: Int? = nil, endsSession: Bool = false
    ) {
        self.code = code
        self.status = status
        self.allow = allow
        self.retryAfter = retryAfter ?? (code == 503 ? 1 : nil)
        self.endsSession = endsSession
    }

    var response: HTTPResponse {
        var response = HTTPResponse.document(status.json.octets(), type: "application/json", code: code)
        if !allow.isEmpty { response.fields.append(("Allow", allow.map(\.rawValue).joined(separator: ", "))) }
        if let retryAfter { response.fields.append(("Retry-After", "\(retryAfter)")) }
        if code == 401 { response.fields.append(("WWW-Authenticate", "Bearer realm=\"touchline\"")) }
        if endsSession {
            response.fields.append(("Set-Cookie", HTTPAPI.cookie("", seconds: 0, isSecure: false)))
        }
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
