// SPDX-License-Identifier: Apache-2.0

/// The URL of a device description or of a DIAL application: `http://host[:port][/path]`.
public struct HTTPURL: Hashable, Sendable, LosslessStringConvertible {
    public let host: ServiceHost
    /// 1...65 535.
    public let port: UInt16
    /// Path and query; it begins with `/` or `?` or is empty.
    public let path: String

    /// Nil unless the text is an `http` URL with a host: printable ASCII, at most 2 048 octets, no fragment, no user.
    public init?(_ text: String) {
        guard let url = ServiceURL(text), url.scheme == "http" else { return nil }
        (host, port, path) = (url.host, url.port ?? 80, url.rest)
    }

    public var description: String { "http://\(host)\(port == 80 ? "" : ":\(port)")\(path)" }

    /// The URL of something below this one; nil if it becomes too long.
    public func appending(_ name: String) -> HTTPURL? {
        HTTPURL(description + (path.hasSuffix("/") ? "" : "/") + name)
    }
}
