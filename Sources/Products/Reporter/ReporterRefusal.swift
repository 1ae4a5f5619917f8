// SPDX-License-Identifier: Apache-2.0

/// Why a request is refused, with its HTTP status code.
struct ReporterRefusal: Error, Equatable {
    let code: Int
    let why: String
    /// Seconds after which it may be tried again; nil where that does not help.
    var retryAfter: Int64?

    init(_ code: Int, _ why: String, retryAfter: Int64? = nil) {
        self.code = code
        self.why = why
        self.retryAfter = retryAfter
    }
}
