// SPDX-License-Identifier: Apache-2.0

/// The HTTP methods (RFC 9110 §9) that are supported. The server refuses all others before it makes an `HTTPRequest`.
public enum HTTPMethod: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
}
