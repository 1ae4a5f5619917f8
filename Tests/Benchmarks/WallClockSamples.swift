// SPDX-License-Identifier: Apache-2.0
import Buffers
import Network
import Synchronisation
import System
import Time
import Venue

/// `bench wall-clock-samples COUNT MILLISECONDS`: a client and a server of the wall clock over the loopback interface.
/// Prints how long the client took to lock, in microseconds, and then errors of its clock in nanoseconds, one a line.
/// `board/bench wallclock` compares them.
enum WallClockSamples {
    static let name = "wall-clock-samples"

    private static let patience = Nanoseconds.seconds(10)

    enum Failure: Error { case arguments, noSocket, noLock }

    static func print(_ arguments: [String]) throws {
        guard arguments.count == 2, let count = Int(arguments[0]), let milliseconds = Int64(arguments[1]), count > 0,
            milliseconds > 0
        else { throw Failure.arguments }
        let wakeup = Wakeup()
        let loopback = DatagramPeer(NumericAddress(v4: 0x7f00_0001), port: 0)
        let server = try WallClockServer(at: [loopback]) { wakeup.signal() }
        defer { server.stop() }
        guard awaits(wakeup, { server.reading.endpoints.first?.bound != nil }),
            let address = server.reading.endpoints.first?.bound
        else { throw Failure.noSocket }
        let start = SystemClock.monotonic()
        let client = try WallClockClient(following: address) { wakeup.signal() }
        defer { client.stop() }
        guard awaits(wakeup, { client.reading.clock != nil }) else { throw Failure.noLock }
        Swift.print((SystemClock.monotonic() - start).microseconds)
        for _ in 0..<count {
            let now = SystemClock.monotonic()
            guard let clock = client.reading.clock else { throw Failure.noLock }
            Swift.print((clock.wallClock(at: now) - server.wallClock(at: now)).count)
            SystemClock.sleep(until: now + .milliseconds(milliseconds))
        }
    }

    private static func awaits(_ wakeup: Wakeup, _ isSo: () -> Bool) -> Bool {
        let end = SystemClock.monotonic() + patience
        while !isSo() {
            let now = SystemClock.monotonic()
            guard now < end else { return false }
            wakeup.wait(until: min(end, now + .milliseconds(1)))
        }
        return true
    }
}
