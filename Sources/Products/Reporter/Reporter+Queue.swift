// SPDX-License-Identifier: Apache-2.0
import Collecting
import HTTP
import System
import Time
import Web

/// Requests with reports wait for the loop, and are sent away as soon as too many do: what a box waits for in vain costs it
/// its next attempt as well.
extension Reporter {
    /// After so long the loop looks for what has come in meanwhile.
    private static let slice = Nanoseconds.milliseconds(20)

    func queue(_ client: WebClient, _ request: HTTPRequest) {
        guard let desk, case .octets(let octets) = request.body else { return serve(client, request) }
        let writing = desk.writer.queue.delay
        if desk.queue.add((client, request), octets: octets.count, behind: writing) { return }
        desk.intake.requests += 1
        desk.pressure.sendAway()
        let box = ReporterRoute.of(path: request.path).variable
        do throws(ReporterRefusal) {
            try desk.putOff(Arrivals.wait(writing + desk.queue.delay, box, beyond: desk.pressure.seconds))
        } catch {
            server?.respond(to: client, Self.refusal(error))
        }
    }

    /// - Returns: whether more waits.
    func serveQueued() -> Bool {
        guard let desk else { return false }
        let end = SystemClock.monotonic() + Self.slice
        var began = SystemClock.monotonic()
        while began < end, let (client, request) = desk.queue.next() {
            serve(client, request)
            desk.pressure.serve()
            let now = SystemClock.monotonic()
            desk.queue.took(now - began)
            began = now
        }
        return !desk.queue.isEmpty
    }
}

extension ReportDesk {
    /// Whether it is a request with reports, which are many and take long. Who sent it is looked at later.
    func isForLater(_ request: HTTPRequest) -> Bool { request.method == .post && request.path.hasSuffix("/reports") }

    /// What waits for the disk, and for the loop.
    var load: Arrivals.Queue {
        var load = writer.queue
        load.unread = queue.delay
        return load
    }
}
