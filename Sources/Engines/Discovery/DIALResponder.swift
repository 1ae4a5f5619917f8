// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import HTTP

/// Answers DIAL's requests over HTTP: what the device is, and where its services for companion screens are. Nothing is
/// launched or stopped for anybody.
public struct DIALResponder: Sendable {
    static let descriptionPath = "/dial/device.xml"
    static let applicationsPath = "/dial/apps"

    public var description: DeviceDescription
    public var services: CompanionApplication
    /// Of the applications' folder, as clients reach it.
    private let applications: HTTPURL

    /// Where the device is described, for `DiscoveryAnnouncement`.
    public let location: HTTPURL

    /// Nil if the URL becomes too long.
    /// - Parameter base: of the HTTP server, as clients reach it, without a path.
    public init?(at base: HTTPURL, _ description: DeviceDescription, _ services: CompanionApplication) {
        guard let location = base.appending(String(Self.descriptionPath.dropFirst())),
            let applications = base.appending(String(Self.applicationsPath.dropFirst()))
        else { return nil }
        (self.location, self.applications, self.description, self.services) = (
            location, applications, description, services
        )
    }

    /// The server leaves the body of an answer to HEAD out.
    /// - Returns: nil if the path is not DIAL's.
    public func response(to request: HTTPRequest) -> HTTPResponse? {
        let application = "\(Self.applicationsPath)/\(CompanionApplication.name)"
        switch request.path {
        case Self.descriptionPath:
            guard Self.reads(request.method) else { return HTTPResponse(405, fields: [("Allow", "GET, HEAD")]) }
            return document(description.octets, fields: [("Application-URL", applications.description)])
        case application:
            if request.method == .post { return HTTPResponse(403) }
            guard Self.reads(request.method) else { return HTTPResponse(405, fields: [("Allow", "GET, HEAD, POST")]) }
            return document(services.octets)
        case let path where path.hasPrefix("\(application)/"): return HTTPResponse(403)
        case let path where path.hasPrefix("\(Self.applicationsPath)/"): return HTTPResponse(404)
        default: return nil
        }
    }

    /// Another for other documents: 24 bits of an FNV-1a hash.
    public var configurationID: Int {
        let hash = (description.octets + services.octets).reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, octet in
            (hash ^ UInt64(octet)) &* 0x100_0000_01b3
        }
        return Int(truncatingIfNeeded: hash >> 40)
    }

    private static func reads(_ method: HTTPMethod) -> Bool { method == .get || method == .head }

    private func document(_ octets: [UInt8], fields: [(name: String, value: String)] = []) -> HTTPResponse {
        HTTPResponse(200, fields: [("Content-Type", "text/xml; charset=utf-8")] + fields, body: .octets(octets))
    }
}
