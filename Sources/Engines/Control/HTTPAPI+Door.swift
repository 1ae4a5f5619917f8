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

    /// Those that follow the events at one time.
    public static let followerLimit = 256

    /// Whether a WebSocket is let in, of which so many are open; nil: it is, and `since` is what it wants.
    public func refusal(ofFollower request: HTTPRequest, openCount: Int) -> HTTPResponse? {
        do throws(HTTPRefusal) {
            try checkDoor(request)
            guard request.path == Self.prefix + "events" else {
                throw HTTPRefusal(404, .failure(.usage, "expected a WebSocket at \(Self.prefix)events"))
            }
            try check(request, for: [.get])
            _ = try wantedSequence(request)
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

    /// The sequence behind which a WebSocket that was let in wants to go on; nil: from the snapshot.
    public func since(_ request: HTTPRequest) -> UInt64? {
        (try? wantedSequence(request)).flatMap { $0 }  // else it was not let in
    }
}
