// SPDX-License-Identifier: Apache-2.0
import Buffers
import Commands
import Hosting
import Journal
import Network
import System
import Venue

/// The feature that asks whether another machine can be reached. It needs no right: the kernel lets the group of the service
/// send echo requests, and nothing else that a raw socket could.
public final class Ping: Feature {
    public static let summary = "whether another machine answers: the command `ping`"

    public static var commands: [Handler<Ping>] { [Handler(SendPing.self)] }

    /// The most attempts at a time.
    static let attemptLimit = 4
    /// The most names that are looked up at a time. A look-up cannot be ended.
    private static let lookUpLimit = 8
    /// How long a name may take.
    private static let lookUpPatience = 8

    let loop: EventLoop
    let log: Log
    private var attempts: [Int: PingAttempt] = [:]
    private var lastNumber = 0
    private let found: Mailbox<Found>
    private let waker: Waker
    /// Look-ups that have not come back yet, also those that nobody waits for any more.
    private var lookUps = 0

    private struct Found: Sendable {
        let number: Int
        let addresses: [String]
    }

    public init(_ context: FeatureContext) throws(Status) {
        loop = context.loop
        log = context.journal.log(for: "network")
        let inbox = LateHandler()
        do {
            let waker = try loop.makeWaker { inbox.handler() }
            found = Mailbox { waker.wake() }
            self.waker = waker
        } catch {
            throw .failure(.failed, "\(error)")
        }
        inbox.handler = { [weak self] in self?.takeFound() }
    }

    public func stop() {
        for attempt in attempts.values { attempt.stop() }
        attempts = [:]
        loop.remove(waker)
    }

    func begin(_ host: String, _ count: Int, _ reply: Reply<PingAnswer>) {
        guard attempts.count < Self.attemptLimit else {
            return reply(.failure(.failure(.busy, "\(Self.attemptLimit) pings run already")))
        }
        lastNumber += 1
        let number = lastNumber
        let attempt = PingAttempt(host, count, loop) { [weak self, log] result in
            self?.attempts[number] = nil
            if case .success(let answer) = result {
                log(
                    .debug, "echo requests sent",
                    ["host": host, "address": answer.address, "answered": answer.run.times.count, "of": count])
            }
            reply(result)
        }
        attempts[number] = attempt
        if let peer = Self.peer(host) { return attempt.ask(peer) }
        guard NameLookup.numeric(host) == nil, !host.contains(":"), !host.contains("%") else {
            let what = "host is \"\(host)\"; expected an address of one host, on an interface that there is, or a name"
            return attempt.end(.failure(.failure(.failed, what)))
        }
        lookUp(host, for: number, attempt)
    }

    private func lookUp(_ host: String, for number: Int, _ attempt: PingAttempt) {
        guard lookUps < Self.lookUpLimit else {
            return attempt.end(.failure(.failure(.busy, "\(lookUps) names are looked up already")))
        }
        do {
            try NameLookup.start(host) { [found] addresses in
                _ = found.post(Found(number: number, addresses: addresses))
            }
            lookUps += 1
            attempt.giveUp(after: .seconds(Int64(Self.lookUpPatience))) {
                .failure(.failed, "\(host) was not found in \(Self.lookUpPatience) s")
            }
        } catch {
            attempt.end(.failure(.failure(.failed, "\(error)")))
        }
    }

    private func takeFound() {
        for found in found.takeAll() {
            lookUps -= 1
            guard let attempt = attempts[found.number] else { continue }
            guard let peer = found.addresses.lazy.compactMap(Self.peer).first else {
                attempt.end(.failure(.failure(.failed, "\(attempt.host) is not the name of a host that is known")))
                continue
            }
            attempt.ask(peer)
        }
    }

    /// - Returns: nil unless the text is the numeric address of one host, with an interface that there is if it has one.
    static func peer(_ text: String) -> DatagramPeer? {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = NumericAddress(String(parts[0])), address.isUnicast else { return nil }
        guard parts.count == 2 else { return DatagramPeer(address, port: 0) }
        guard address.isIPv6, let index = DatagramSocket.interfaceIndex(String(parts[1])) else { return nil }
        return DatagramPeer(address, port: 0, interface: index)
    }
}
