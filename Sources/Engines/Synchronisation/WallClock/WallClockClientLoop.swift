// SPDX-License-Identifier: Apache-2.0
import Bytes
import CompanionScreens
import Network
import System
import Time

/// What the thread of a wall clock client does.
final class WallClockClientLoop {
    private static let idle = Nanoseconds.seconds(3_600)
    /// Requests whose stamp may still come. Those of the loopback come at once, those of a radio never.
    private static let mostUnstamped = 16

    private let client: WallClockClient
    private let local: ClockQuality
    private let pacing: WallClockPacing
    private let stamping: StampingClock
    private var batch: DatagramBatch
    private var reading = WallClockClient.Reading()
    /// Whether `reading` has the server that was to be followed from the beginning.
    private var hasBegun = false
    private var requester: WallClockRequester?
    private var socket: StampedSocket?
    private var unstamped: [(number: UInt32, originate: Monotonic)] = []
    private var pause = WallClockRest()

    init(_ client: WallClockClient, local: ClockQuality, pacing: WallClockPacing, stamping: StampingClock) {
        (self.client, self.local, self.pacing, self.stamping) = (client, local, pacing, stamping)
        batch = DatagramBatch(slots: WallClockRest.batch, octets: 64, clock: stamping)
    }

    func run() {
        while !client.stopping.isRaised {
            follow(client.target.value)
            let now = SystemClock.monotonic()
            if let due = requester?.nextTick, due <= now { perform(requester?.tick(at: now) ?? []) }
            publish()
            let isReady = client.wait.wait(
                for: socket.map { [$0.rawValue] } ?? [],
                until: requester?.nextTick ?? SystemClock.monotonic() + Self.idle)
            let stamps = takeStamps()
            let count = receive()
            pause.rest(after: count, isFruitless: isReady && stamps + count == 0)
        }
    }

    private func follow(_ target: WallClockClient.Target) {
        guard target.call != reading.call || !hasBegun else { return }
        hasBegun = true
        let server = target.server
        (reading.server, reading.call) = (server, target.call)
        (socket, unstamped) = (nil, [])
        let now = SystemClock.monotonic()
        if server == nil {
            requester = nil
        } else if requester == nil {
            requester = WallClockRequester(local: local, pacing: pacing, at: now)
        } else {
            perform(requester?.addressChanged(at: now) ?? [])
        }
    }

    private func perform(_ actions: [WallClockRequester.Action]) {
        for action in actions {
            switch action {
            case .send(let originate): send(originate)
            case .report(let event):
                // The owner is woken by it and then reads what is published.
                publish()
                guard let server = reading.server else { continue }
                let event = WallClockClient.Event(server: server, call: reading.call, event: event)
                if !client.events.post(event) { reading.counters.eventsLost += 1 }
            }
        }
    }

    private func publish() {
        reading.state = requester?.state ?? .acquiring
        reading.clock = requester?.clock
        reading.requests = requester?.counters ?? WallClockRequesterCounters()
        reading.counters.rests = pause.count
        client.published.set(reading)
    }

    // MARK: Socket

    private func send(_ originate: Monotonic) {
        guard let server = reading.server else { return }
        // A connected socket keeps the address that the machine had. If the server is silent, that may be why.
        if requester?.state == .lost { socket = nil }
        do throws(SystemCallError) {
            if socket == nil {
                unstamped = []
                socket = try StampedSocket(connectedTo: server, clock: stamping)
            }
            guard let socket else { return }
            let number = try socket.send(WallClockMessage.request(originate: originate).octets, isStamped: true)
            if unstamped.count >= Self.mostUnstamped { unstamped.removeFirst() }
            unstamped.append((number, originate))
            reading.problem = nil
            // On most interfaces the stamp is there by now, long before the response.
            takeStamps()
        } catch {
            reading.counters.sendFailures += 1
            reading.problem = error
            socket = nil
        }
    }

    /// - Returns: the number of stamps.
    @discardableResult
    private func takeStamps() -> Int {
        var count = 0
        while count < Self.mostUnstamped, let stamp = socket?.takeSendStamp() {
            count += 1
            guard let index = unstamped.firstIndex(where: { $0.number == stamp.number }) else { continue }
            let originate = unstamped.remove(at: index).originate
            guard let instant = stamp.instant else { continue }
            reading.counters.requestsStamped += 1
            requester?.requestSent(originate: originate, at: instant)
        }
        return count
    }

    /// - Returns: the number of datagrams.
    private func receive() -> Int {
        guard let socket else { return 0 }
        do throws(SystemCallError) {
            let count = try socket.receive(into: &batch)
            for index in 0..<count { receive(index) }
            return count
        } catch {
            reading.problem = error
            self.socket = nil
            return 0
        }
    }

    private func receive(_ index: Int) {
        let sender = batch.peer(index)
        guard sender.address == reading.server?.address, sender.port == reading.server?.port else {
            reading.counters.datagramsForeign += 1
            return
        }
        guard let response = batch.withBytes(index, Self.response) else {
            reading.counters.datagramsMalformed += 1
            return
        }
        perform(requester?.responseReceived(response, at: batch.arrival(index)) ?? [])
    }

    private static func response(_ bytes: UnsafeRawBufferPointer) -> WallClockResponse? {
        // What is wrong with it does not matter; the caller counts it.
        guard let message = try? WallClockMessage(bytes) else { return nil }
        return WallClockResponse(message)
    }
}
