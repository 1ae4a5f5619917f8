// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Network
import System
import Time

/// What the thread of a wall clock server does.
final class WallClockServerLoop {
    private static let idle = Nanoseconds.seconds(3_600)

    private let server: WallClockServer
    private let stamping: StampingClock
    private var responder: WallClockResponder
    private var batch: DatagramBatch
    private var endpoints: [WallClockEndpoint] = []
    private var reading = WallClockServer.Reading()
    private var pause = WallClockRest()

    init(_ server: WallClockServer, _ responder: WallClockResponder, stamping: StampingClock) {
        (self.server, self.responder, self.stamping) = (server, responder, stamping)
        batch = DatagramBatch(slots: WallClockRest.batch, octets: 64, clock: stamping)
    }

    func run() {
        while !server.stopping.isRaised {
            adopt(server.addresses.value)
            let now = SystemClock.monotonic()
            for endpoint in endpoints {
                endpoint.open(at: now, stamping: stamping)
                endpoint.expire(at: now, counting: &reading.counters)
            }
            publish()
            let isReady = server.wait.wait(
                for: endpoints.compactMap(\.descriptor),
                until: endpoints.compactMap(\.nextTick).min() ?? now + Self.idle)
            var (most, stamps) = (0, 0)
            for endpoint in endpoints {
                stamps += endpoint.followUp(responder, counting: &reading.counters)
                let count = endpoint.receive(into: &batch, counting: &reading.counters)
                for index in 0..<count { answer(index, at: endpoint) }
                most = max(most, count)
            }
            pause.rest(after: most, isFruitless: isReady && most + stamps == 0)
        }
    }

    private func adopt(_ addresses: [DatagramPeer]) {
        guard addresses != endpoints.map(\.requested) else { return }
        let former = endpoints
        endpoints = addresses.enumerated().filter { !addresses[..<$0.offset].contains($0.element) }.map { _, address in
            former.first { $0.requested == address } ?? WallClockEndpoint(address)
        }
    }

    private func answer(_ index: Int, at endpoint: WallClockEndpoint) {
        // What is wrong with it does not matter; it is counted.
        guard let message = batch.withBytes(index, { try? WallClockMessage($0) }) else {
            responder.datagramMalformed()
            return
        }
        let client = batch.peer(index)
        // Nobody can be answered at port 0.
        guard message.kind == .request, client.port > 0 else {
            responder.messageUnexpected()
            return
        }
        let answer = responder.requestReceived(
            from: client.address, arrival: batch.arrival(index), now: SystemClock.monotonic())
        guard let answer else { return }
        endpoint.respond(to: message.originate, of: client, answer, responder, counting: &reading.counters)
    }

    private func publish() {
        reading.requests = responder.counters
        reading.counters.rests = pause.count
        reading.problem = endpoints.lazy.compactMap(\.problem).first
        let states = endpoints.map { WallClockServer.Endpoint(requested: $0.requested, bound: $0.bound) }
        let hasChanged = states != reading.endpoints
        reading.endpoints = states
        server.published.set(reading)
        if hasChanged { server.notify() }
    }
}
