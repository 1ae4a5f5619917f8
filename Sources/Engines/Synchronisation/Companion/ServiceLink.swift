// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Time

/// The client's side of one service: at most one connection to its endpoint, made anew with back-off when it ends.
/// Attempts are `ReconnectDelay.shortest` apart at least, however often the endpoint changes.
struct ServiceLink: Sendable {
    enum State: Hashable, Sendable {
        /// There is no endpoint.
        case idle
        case waiting(until: Monotonic)
        case opening(deadline: Monotonic)
        /// Open, and the server has not said anything yet.
        case open(deadline: Monotonic)
        case established(since: Monotonic)
    }

    /// How long a server may take to accept, and then to say something.
    static let patience = Nanoseconds.seconds(5)
    /// A connection that lasted so long was a good one: the next failure is the first in a row.
    static let proof = Nanoseconds.seconds(10)

    let service: CompanionConnection.Service
    private(set) var state = State.idle
    private(set) var endpoint: ServiceEndpoint?
    private var number: UInt64 = 0
    private var delay = ReconnectDelay()
    private var lastAttempt: Monotonic?

    init(_ service: CompanionConnection.Service) { self.service = service }

    var isEstablished: Bool { if case .established = state { true } else { false } }

    /// Nil if nothing has to happen by itself.
    var nextTick: Monotonic? {
        switch state {
        case .idle, .established: nil
        case .waiting(let instant), .opening(let instant), .open(let instant): instant
        }
    }

    /// The connection that is open or being opened.
    var connection: CompanionConnection? {
        switch state {
        case .idle, .waiting: nil
        case .opening, .open, .established: CompanionConnection(service: service, number: number)
        }
    }

    /// Connects to another endpoint, or to none. Nothing happens if it is the same.
    mutating func aim(at endpoint: ServiceEndpoint?, now: Monotonic) -> [CompanionAction] {
        guard endpoint != self.endpoint else { return [] }
        let actions = connection.map { [CompanionAction.close($0, status: 1_000)] } ?? []
        self.endpoint = endpoint
        delay.reset()
        guard endpoint != nil else {
            state = .idle
            return actions
        }
        state = .waiting(until: max(now, lastAttempt.map { $0 + ReconnectDelay.shortest } ?? now))
        return actions + connectIfDue(at: now)
    }

    mutating func connectIfDue(at now: Monotonic) -> [CompanionAction] {
        guard let endpoint, case .waiting(let instant) = state, instant <= now else { return [] }
        number += 1
        lastAttempt = now
        state = .opening(deadline: now + Self.patience)
        return [.connect(CompanionConnection(service: service, number: number), endpoint.url)]
    }

    mutating func opened(at now: Monotonic) -> [CompanionAction] {
        guard case .opening = state, let connection else { return [] }
        state = .open(deadline: now + Self.patience)
        return endpoint?.setup.map { [.send(connection, $0.octets)] } ?? []
    }

    /// The server has said something that can be read.
    mutating func heard(at now: Monotonic) {
        if case .open = state { state = .established(since: now) }
    }

    mutating func ended(at now: Monotonic, using random: inout some RandomNumberGenerator) {
        if case .established(let since) = state, now - since >= Self.proof { delay.reset() }
        state = .waiting(until: now + delay.next(using: &random))
    }

    /// Closes the connection from this side, as from a server that is of no use now.
    mutating func drop(
        status: UInt16, at now: Monotonic, using random: inout some RandomNumberGenerator
    ) -> [CompanionAction] {
        guard let connection else { return [] }
        ended(at: now, using: &random)
        return [.close(connection, status: status)]
    }

    /// Whether the server has let the time pass in which it should have accepted or said something.
    func isSilent(at now: Monotonic) -> Bool {
        switch state {
        case .opening(let deadline), .open(let deadline): deadline <= now
        case .idle, .waiting, .established: false
        }
    }
}
