// SPDX-License-Identifier: Apache-2.0
import ControlMessages
import JSON
import Venue

/// The state machine of one connection to the control socket, without the socket. Octets go in and requests come out;
/// answers and events go in and octets come out.
///
/// All of its memory is bounded. The input of a caller that does not read its answers is not read either
/// (`wantsInput`). Events wait in the `EventLog`, which drops the oldest when a reader is slow.
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

    /// False after the end of input, and while the caller has to read its answers first.
    public var wantsInput: Bool { !hasInputEnded && !isFull && framer.count <= Self.lineLimit }

    public mutating func received(_ bytes: some Sequence<UInt8>) { framer.append(bytes) }

    /// The caller sends no more input. It may still wait for answers.
    public mutating func inputEnded() { hasInputEnded = true }

    /// Whether the connection can be closed: no more input comes, and no answer, stream or output is outstanding.
    public var isFinished: Bool {
        hasInputEnded && !framer.hasLine && openRequests == 0 && following == nil && output.isEmpty
    }

    /// The next request, which has to be answered once by `answer` or `follow`; nil if more input or more room in the
    /// output is needed. Lines that are not valid requests are answered here with an error, and the connection goes on.
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

    /// The octets that are still to be sent, in order.
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

    /// Answers a request for a stream of events, which begins where it asks for, or with the snapshot of the log. Every new
    /// event follows.
    public mutating func follow(_ id: Int64, _ place: EventPlace, of log: EventLog) {
        guard following == nil else { return answer(id, .failure(Self.followsAlready)) }
        let follower = EventFollower(place, of: log)
        answer(id, .success(log.greeting(resumes: follower.resumes)))
        following = .events(id: id, follower)
        pump(log)
    }

    /// Answers a request for a stream of a data channel's messages, which begins with the next message.
    public mutating func follow(_ id: Int64, _ feed: MessageFeed) {
        answer(id, .success(["channel": .string(feed.channel)]))
        following = .messages(id: id, MessageFeed.Follower(feed))
    }

    /// The refusal of a second stream: a connection follows one stream at a time.
    static let followsAlready = Status.failure(.busy, "this connection follows something already")

    public var isFollowing: Bool { following != nil }

    /// Moves as many followed events into the output as there is room for. Call it when the log has grown or output was
    /// sent.
    public mutating func pump(_ log: EventLog) {
        guard case .events(let id, var follower) = following else { return }
        while output.count < Self.outputLimit, let step = follower.next(of: log) {
            pending += step.reply.octets(id: id)
        }
        following = .events(id: id, follower)
    }

    /// Moves as many followed messages into the output as there is room for. Call it when the feed has grown or output
    /// was sent.
    public mutating func pump(_ feed: MessageFeed) {
        guard case .messages(let id, var follower) = following else { return }
        while output.count < Self.outputLimit, let reply = follower.next(of: feed) {
            pending += reply.octets(id: id)
        }
        following = .messages(id: id, follower)
    }

    private var isFull: Bool { output.count >= Self.outputLimit || openRequests >= Self.openRequestLimit }
}
