// SPDX-License-Identifier: Apache-2.0
import HTTP
import JSON
import Venue

/// Decides who may send requests at all; what a caller may do, `HTTPAPI+Callers` does. Callers beyond this machine come by
/// TLS. A page of another origin in a browser may not ask: `Host` has to be one of our own names, which excludes DNS
/// rebinding, and `Origin` has to be absent or our own. The address that the client connected to is one of our own as well:
/// a name that leads here is not written as an address.
extension HTTPAPI {
    /// - Throws: 400 without a version, because a part of the query is lost then; 403 for a stranger.
    func checkAdmission(_ request: HTTPRequest) throws(HTTPRefusal) {
        guard request.version?.hasPrefix("HTTP/1.") == true else {
            throw HTTPRefusal(
                400, .failure(.usage, "the request line ends before its version; expected no %0D or %0A in it"))
        }
        let peer = request.peer
        guard peer.isLoopback || peer.isSecure else {
            throw HTTPRefusal(403, .failure(.failed, "callers beyond this machine are served by TLS alone"))
        }
        let hosts = hosts(for: peer)
        let host = request.host?.lowercased() ?? ""
        guard hosts.contains(host) else {
            throw HTTPRefusal(
                403,
                .failure(.failed, "Host is not this box; expected one of \(hosts.sorted().joined(separator: ", "))"))
        }
        let origin = "\(peer.scheme)://\(host)"
        if let other = request.origin, other.lowercased() != origin {
            throw HTTPRefusal(403, .failure(.failed, "Origin is another; expected none, or \(origin)"))
        }
    }

    /// Whether the request shows that those who control the box reach it: it is admitted, and is of somebody who shows who it
    /// is, or who comes from elsewhere and has a role. Nothing is counted or noted.
    public func showsReach(_ request: HTTPRequest) -> Bool {
        do throws(HTTPRefusal) {
            try checkAdmission(request)
        } catch {
            return false
        }
        let showsSomething = request.credentials(cookieName: HTTPAccess.cookieName) != nil
        return (showsSomething || !request.peer.isLoopback) && access.stays(request)
    }

    /// The values of `Host` that name this server to a client, in lower case.
    func hosts(for peer: HTTPPeer) -> Set<String> {
        let own = peer.isLoopback ? ["127.0.0.1", "localhost", "[::1]"] : []
        return Set((own + [peer.localHost] + names()).map { $0 + peer.portSuffix })
    }

    func check(_ request: HTTPRequest, for methods: [HTTPMethod]) throws(HTTPRefusal) {
        guard methods.contains(request.method) else {
            let names = methods.map(\.rawValue).joined(separator: ", ")
            throw HTTPRefusal(
                405, .failure(.usage, "\(request.method.rawValue) \(request.path): expected \(names)"), allow: methods)
        }
    }

    // MARK: WebSockets

    /// The stream that a WebSocket asks for.
    public enum Following: Equatable, Sendable {
        /// Events from this place on.
        case events(EventPlace)
        /// Messages of the data channel with this name or id.
        case data(channel: String)
    }

    /// The response that refuses a WebSocket; nil if it is accepted, and then `following` is what it asks for.
    /// - Parameter openCount: the number of WebSockets that are open.
    public func refusal(ofFollower request: HTTPRequest, openCount: Int) -> HTTPResponse? {
        do throws(HTTPRefusal) {
            try checkAdmission(request)
            try checkViewer(try caller(of: request, by: .webSocket), at: request.path)
            _ = try wanted(request)
            let limit = followerLimit()
            guard openCount < limit else {
                throw HTTPRefusal(503, .failure(.busy, "\(limit) WebSockets are served already"))
            }
            return nil
        } catch {
            return error.response
        }
    }

    /// The first message of a WebSocket that follows events: the sequence number of the next new event, the run of the
    /// service, and whether the events continue where the client asked for.
    public static func greeting(of log: EventLog, to follower: EventFollower) -> [UInt8] {
        log.greeting(resumes: follower.resumes).octets()
    }

    /// The first message of a WebSocket that follows a data channel: the channel that was asked for.
    public static func greeting(of feed: MessageFeed) -> [UInt8] {
        (["channel": .string(feed.channel)] as JSONValue).octets()
    }

    /// The stream that an accepted WebSocket asks for; nil if the request is not a valid one for a stream.
    public func following(_ request: HTTPRequest) -> Following? {
        try? wanted(request)  // throws only for a WebSocket that was refused
    }

    /// Whether a WebSocket that was accepted may stay: its token may have been revoked since.
    public func mayStay(_ request: HTTPRequest) -> Bool { access.stays(request) }

    private func wanted(_ request: HTTPRequest) throws(HTTPRefusal) -> Following {
        switch request.path {
        case Self.prefix + "events":
            try check(request, for: [.get])
            return .events(EventPlace(.object(try followed(request, "events"))))
        case Self.prefix + "data":
            try check(request, for: [.get])
            guard let channel = try followed(request, "data")["channel"]?.string else {
                throw HTTPRefusal(400, .failure(.usage, "channel is missing; expected a name or an id to follow"))
            }
            return .data(channel: channel)
        default:
            throw HTTPRefusal(
                404, .failure(.usage, "expected a WebSocket at \(Self.prefix)events or \(Self.prefix)data"))
        }
    }
}
