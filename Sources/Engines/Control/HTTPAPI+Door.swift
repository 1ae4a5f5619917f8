// SPDX-License-Identifier: Apache-2.0
import HTTP
import JSON
import Venue

/// Who may ask at all. A page of another origin that a browser on this machine shows cannot: not by a name that leads
/// here (`Host`), nor from where it stands (`Origin`).
extension HTTPAPI {
    func checkDoor(_ request: HTTPRequest) throws(HTTPRefusal) {
        let host = request.host?.lowercased() ?? ""
        guard hosts.contains(host) else {
            throw HTTPRefusal(
                403,
                .failure(.failed, "Host is not this box; expected one of \(hosts.sorted().joined(separator: ", "))"))
        }
        if let origin = request.origin, origin.lowercased() != "http://\(host)" {
            throw HTTPRefusal(403, .failure(.failed, "Origin is another; expected none, or http://\(host)"))
        }
    }

    func check(_ request: HTTPRequest, for methods: [HTTPMethod]) throws(HTTPRefusal) {
        guard methods.contains(request.method) else {
            let names = methods.map(\.rawValue).joined(separator: ", ")
            throw HTTPRefusal(
                405, .failure(.usage, "\(request.method.rawValue) \(request.path): expected \(names)"), allow: methods)
        }
    }

    // MARK: WebSockets

    /// Those that follow something at one time.
    public static let followerLimit = 256

    /// What a WebSocket asks for.
    public enum Following: Equatable, Sendable {
        /// Behind this sequence; nil: from the snapshot.
        case events(since: UInt64?)
        /// Name or id.
        case data(channel: String)
    }

    /// Whether a WebSocket is let in, of which so many are open; nil: it is, and `following` is what it wants.
    public func refusal(ofFollower request: HTTPRequest, openCount: Int) -> HTTPResponse? {
        do throws(HTTPRefusal) {
            try checkDoor(request)
            _ = try wanted(request)
            guard openCount < Self.followerLimit else {
                throw HTTPRefusal(503, .failure(.busy, "\(Self.followerLimit) WebSockets are served already"))
            }
            return nil
        } catch {
            return error.response
        }
    }

    /// The first message of a WebSocket: what comes behind this sequence is new.
    public static func greeting(of log: EventLog) -> [UInt8] {
        (["next": .integer(Int64(clamping: log.lastSequence + 1))] as JSONValue).octets()
    }

    /// The first message of a WebSocket that follows a data channel.
    public static func greeting(of feed: MessageFeed) -> [UInt8] {
        (["channel": .string(feed.channel)] as JSONValue).octets()
    }

    /// Of a WebSocket that was let in.
    public func following(_ request: HTTPRequest) -> Following? {
        try? wanted(request)  // else it was not let in
    }

    private func wanted(_ request: HTTPRequest) throws(HTTPRefusal) -> Following {
        switch request.path {
        case Self.prefix + "events":
            try check(request, for: [.get])
            return .events(since: try followed(request, "events")["since"]?.integer.map { UInt64(clamping: $0) })
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
