// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Network
import System
import Time

/// One address of a wall clock server: its socket, which is opened again when it fails, and the follow-ups that are due.
final class WallClockEndpoint {
    /// The least time between two attempts to open the socket.
    private static let pause = Nanoseconds.seconds(1)

    let requested: DatagramPeer
    private(set) var bound: DatagramPeer?
    /// Why there is no socket.
    private(set) var problem: SystemCallError?
    private var socket: StampedSocket?
    private var followUps = WallClockFollowUps()
    private var nextAttempt: Monotonic?

    init(_ requested: DatagramPeer) { self.requested = requested }

    var descriptor: CInt? { socket?.rawValue }

    /// When something is to be done, whatever is received.
    var nextTick: Monotonic? { socket == nil ? nextAttempt : followUps.deadline }

    func open(at now: Monotonic, stamping: StampingClock) {
        guard socket == nil, nextAttempt.map({ $0 <= now }) ?? true else { return }
        nextAttempt = now + Self.pause
        followUps = WallClockFollowUps()
        do throws(SystemCallError) {
            let opened = try StampedSocket(boundTo: requested, clock: stamping)
            (socket, bound, problem) = (opened, opened.ownPeer, nil)
        } catch {
            problem = error
        }
    }

    /// - Returns: the number of datagrams, which are in the batch.
    func receive(into batch: inout DatagramBatch, counting counters: inout WallClockServerCounters) -> Int {
        guard let socket else { return 0 }
        do throws(SystemCallError) {
            return try socket.receive(into: &batch)
        } catch {
            counters.socketFailures += 1
            (self.socket, bound, problem) = (nil, nil, error)
            return 0
        }
    }

    func respond(
        to originate: UInt64, of client: DatagramPeer, _ answer: WallClockResponder.Answer,
        _ responder: WallClockResponder, counting counters: inout WallClockServerCounters
    ) {
        let now = SystemClock.monotonic()
        let (isAnnounced, isStamped) = (followUps.isAnnounced, followUps.isStamped(at: now))
        let message = WallClockMessage(
            isAnnounced ? .responseBeforeFollowUp : .response, to: originate, answer, sent: answer.responseSent)
        guard let number = send(message, to: client, isStamped: isStamped, counting: &counters) else { return }
        counters.responses += 1
        guard isStamped else { return }
        followUps.responseSent(
            .init(client: client, originate: originate, answer: answer, isAnnounced: isAnnounced), number: number,
            at: now)
        // On most interfaces the stamp is there by now.
        followUp(responder, counting: &counters)
    }

    /// Sends the follow-ups whose stamps have come.
    /// - Returns: the number of stamps.
    @discardableResult
    func followUp(_ responder: WallClockResponder, counting counters: inout WallClockServerCounters) -> Int {
        var count = 0
        while count < WallClockFollowUps.most, let stamp = socket?.takeSendStamp() {
            count += 1
            guard let response = followUps.stampCame(number: stamp.number) else { continue }
            let first = response.answer.responseSent
            let left = stamp.instant.map { responder.wallClock(at: $0) } ?? first
            if left <= first { counters.followUpsUnstamped += 1 }
            send(response, sent: max(first, left), counting: &counters)
        }
        return count
    }

    /// Sends what was announced and has no stamp, so that no client waits for it.
    func expire(at now: Monotonic, counting counters: inout WallClockServerCounters) {
        giveUp(followUps.expired(at: now), counting: &counters)
    }

    private func giveUp(
        _ responses: [WallClockFollowUps.Response], counting counters: inout WallClockServerCounters
    ) {
        for response in responses {
            counters.followUpsUnstamped += 1
            send(response, sent: response.answer.responseSent, counting: &counters)
        }
    }

    private func send(
        _ response: WallClockFollowUps.Response, sent: WallClockInstant,
        counting counters: inout WallClockServerCounters
    ) {
        let message = WallClockMessage(.followUp, to: response.originate, response.answer, sent: sent)
        if send(message, to: response.client, isStamped: false, counting: &counters) != nil { counters.followUps += 1 }
    }

    /// - Returns: nil if it could not be sent. The client asks again.
    private func send(
        _ message: WallClockMessage, to client: DatagramPeer, isStamped: Bool,
        counting counters: inout WallClockServerCounters
    ) -> UInt32? {
        do throws(SystemCallError) {
            return try socket?.send(message.octets, to: client, isStamped: isStamped)
        } catch {
            counters.sendFailures += 1
            if isStamped { restartStamps(counting: &counters) }
            return nil
        }
    }

    private func restartStamps(counting counters: inout WallClockServerCounters) {
        do throws(SystemCallError) {
            try socket?.restartSendStamps()
        } catch {
            (socket, bound, problem) = (nil, nil, error)
        }
        giveUp(followUps.numbersRestarted(), counting: &counters)
    }
}
