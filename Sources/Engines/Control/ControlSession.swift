// SPDX-License-Identifier: Apache-2.0
import ControlMessages
import JSON
import Venue

/// One connection to the control socket, without the socket: bytes in, requests out; answers and events in, bytes out.
///
/// Nothing here grows without bound. A caller that does not read its answers is not read either (`wantsInput`); events
/// wait in the `EventLog` and go there when the reader is slow.
public struct ControlSession: Sendable {
    static let lineLimit = ControlRequest.lineLimit
    static let outputLimit = 256 << 10
    static let openRequestLimit = 16

    private enum Following: Sendable {
        case events(id: Int64, EventFollower)
        case messages(id: Int64, MessageFeed.Follower)
    }

    private var framer = LineFramer(limit: lineLimit)
    private var pending: [UInt8] = []
    private var sentCount = 0
    private var openRequests = 0
    private var following: Following?
    private var hasInputEnded = false

    public init() {}

    // MARK: In

    /// False while the caller must read first.
    public var wantsInput: Bool { !hasInputEnded && !isFull && framer.count <= Self.lineLimit }

    public mutating func received(_ bytes: some Sequence<UInt8>) { framer.append(bytes) }

    /// The caller will send no more; it may still want answers.
    public mutating func inputEnded() { hasInputEnded = true }

    /// Nothing is owed to anybody.
    public var isFinished: Bool {
        hasInputEnded && !framer.hasLine && openRequests == 0 && following == nil && output.isEmpty
    }

    /// The next request, to be answered once by `answer` or `follow`. Lines that are none are answered here, and the
    /// connection goes on. Nil: more input or room is needed.
    public mutating func nextRequest() -> ControlRequest? {
        while !isFull, let line = framer.next() {
            switch line {
            case .tooLong:
                let status = Status.failure(.usage, "a line is longer than \(Self.lineLimit) octets")
                pending += ControlReply.answer(status, result: .null).octets(id: nil)
            case .whole(let octets):
                do {
                    let request = try ControlRequest(parsing: octets)
                    openRequests += 1
                    return request
                } catch {
                    pending += ControlReply.answer(error.status, result: .null).octets(id: error.id)
                }
            }
        }
        return nil
    }

    // MARK: Out

    /// Octets to be sent, in order.
    public var output: ArraySlice<UInt8> { pending[sentCount...] }

    public mutating func sent(_ count: Int) {
        sentCount += count
        precondition(sentCount <= pending.count)
        if sentCount == pending.count {
            pending.removeAll(keepingCapacity: pending.count <= Self.outputLimit)
            sentCount = 0
        } else if sentCount > Self.outputLimit {
            pending.removeFirst(sentCount)
            sentCount = 0
        }
    }

    public mutating func answer(_ id: Int64, _ outcome: Result<JSONValue, Status>) {
        precondition(openRequests > 0)
        openRequests -= 1
        switch outcome {
        case .success(let result): pending += ControlReply.answer(.ok, result: result).octets(id: id)
        case .failure(let status): pending += ControlReply.answer(status, result: .null).octets(id: id)
        }
    }

    /// Answers a request for events that goes on: what the log has `since`, or its snapshot, then every new event.
    public mutating func follow(_ id: Int64, since: UInt64?, of log: EventLog) {
        guard following == nil else { return answer(id, .failure(Self.followsAlready)) }
        answer(id, .success(["next": .integer(Int64(clamping: log.lastSequence + 1))]))
        following = .events(id: id, EventFollower(since: since, of: log))
        pump(log)
    }

    /// Answers a request for the messages of a data channel, each of which follows from now on.
    public mutating func follow(_ id: Int64, _ feed: MessageFeed) {
        answer(id, .success(["channel": .string(feed.channel)]))
        following = .messages(id: id, MessageFeed.Follower(feed))
    }

    /// One thing at a time.
    static let followsAlready = Status.failure(.busy, "this connection follows something already")

    public var isFollowing: Bool { following != nil }

    /// Takes over as many events as there is room for: to be called when the log or the room has grown.
    public mutating func pump(_ log: EventLog) {
        guard case .events(let id, var follower) = following else { return }
        while output.count < Self.outputLimit, let step = follower.next(of: log) {
            pending += step.reply.octets(id: id)
        }
        following = .events(id: id, follower)
    }

    /// Likewise of the feed that it follows.
    public mutating func pump(_ feed: MessageFeed) {
        guard case .messages(let id, var follower) = following else { return }
        while output.count < Self.outputLimit, let reply = follower.next(of: feed) {
            pending += reply.octets(id: id)
        }
        following = .messages(id: id, follower)
    }

    private var isFull: Bool { output.count >= Self.outputLimit || openRequests >= Self.openRequestLimit }
}
