// SPDX-License-Identifier: Apache-2.0
import Buffers
import Network
import System
import Testing
import Time
import Venue

@testable import Synchronisation

/// A server and a client of the wall clock on this machine, with their sockets and threads.
final class WallClockScene: Sendable {
    static let loopback = NumericAddress(v4: 0x7f00_0001)
    static let loopbackOfIPv6 = NumericAddress(v6: 0, 1)
    /// What a silent server is noticed by sooner.
    static let quick: WallClockPacing = {
        var pacing = WallClockPacing()
        (pacing.longestInterval, pacing.timeout) = (.milliseconds(100), .milliseconds(200))
        pacing.silence = .milliseconds(500)
        return pacing
    }()

    let wakeup: Wakeup
    let client: WallClockClient
    private let seen = LatestValue<[WallClockClient.Event]>([])

    init(pacing: WallClockPacing = WallClockPacing(), stamping: StampingClock = StampingClock()) throws {
        let wakeup = Wakeup()
        self.wakeup = wakeup
        client = try WallClockClient(pacing: pacing, stamping: stamping) { wakeup.signal() }
    }

    /// A server, bound.
    func serve(
        at address: NumericAddress = loopback, port: UInt16 = 0, offset: Nanoseconds = .zero,
        stamping: StampingClock = StampingClock()
    ) throws -> (server: WallClockServer, at: DatagramPeer) {
        let server = try WallClockServer(
            at: [DatagramPeer(address, port: port)], offset: offset, stamping: stamping
        ) { [wakeup] in wakeup.signal() }
        awaits("a bound socket") { server.reading.endpoints.first?.bound != nil }
        return (server, try #require(server.reading.endpoints.first?.bound))
    }

    /// Waits until something is so; what of it is not told by an event is looked for each 10 ms.
    func awaits(_ what: Comment, within limit: Nanoseconds = .seconds(20), _ isSo: () -> Bool) {
        let end = SystemClock.monotonic() + limit
        while !isSo() {
            let now = SystemClock.monotonic()
            guard now < end else {
                Issue.record("\(what) did not come: \(client.reading)")
                return
            }
            wakeup.wait(until: min(end, now + .milliseconds(10)))
        }
    }

    /// All events until now.
    var events: [WallClockClient.Event] {
        let all = seen.value + client.takeEvents()
        seen.set(all)
        return all
    }

    func awaits(_ event: WallClockRequester.Event, of server: DatagramPeer, within limit: Nanoseconds = .seconds(20)) {
        awaits("\(event)", within: limit) { events.contains { $0.event == event && $0.server == server } }
    }

    /// Looks at the clock so many times, and checks that the server's is within the dispersion.
    /// - Returns: the errors.
    @discardableResult
    func checkClock(against server: WallClockServer, times: Int = 100) -> Errors {
        var errors = Errors()
        for _ in 0..<times {
            let now = SystemClock.monotonic()
            guard let clock = client.reading.clock else {
                Issue.record("no clock")
                break
            }
            let error = clock.wallClock(at: now) - server.wallClock(at: now)
            #expect(error.magnitude <= clock.dispersion(at: now))
            errors.add(error.count)
            wakeup.wait(until: now + .milliseconds(1))
        }
        return errors
    }
}
