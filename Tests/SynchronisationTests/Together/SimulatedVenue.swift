// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import TestSupport
import Testing
import Time

@testable import Synchronisation

/// Boxes of a group that play one channel, in simulated time: who leads is decided by the group itself.
final class SimulatedVenue {
    private enum Message {
        case announcement(GroupAnnouncement)
        case wallClock(WallClockResponse, client: UInt64)
        /// CSS-TS is connected, and the set-up data are there.
        case setup(client: CompanionClient)
        case timestamp([UInt8], client: UInt64)
        case presentation([UInt8], client: CompanionClient)
    }

    private struct Sent {
        let at: Int64
        let to: String
        let message: Message
    }

    /// What a segment of TCP waits for if it was lost.
    private static let retransmission: Int64 = 200_000_000
    /// From a wall clock that is known to a connection of CSS-TS.
    private static let connecting: Int64 = 40_000_000

    let boxes: [SimulatedBox]
    private let network: SimulatedNetwork
    private let channel: SimulatedChannel
    private var random: SplitMix64
    /// Sorted, the latest first.
    private var queue: [Sent] = []
    /// When the last segment of each connection comes.
    private var arrivals: [UInt64: Int64] = [:]
    private var clients: UInt64 = 0
    /// True time.
    private(set) var now: Int64 = 0
    private(set) var handovers: [Int64] = []
    /// What a leading box presents later than it could.
    var headroom = Nanoseconds.milliseconds(300)

    init(
        _ count: Int, refresh: FrameRate, delays: [Int64], network: SimulatedNetwork, jitter: Nanoseconds, seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        func crystal() -> SimulatedCrystal {
            SimulatedCrystal(
                ppm: .random(in: -50...50, using: &random),
                origin: .random(in: 1_000_000_000_000...9_000_000_000_000, using: &random))
        }
        boxes = try (0..<count).map { number in
            let name = "box\(number)"
            var vblanks = crystal()
            vblanks.origin = 0
            return SimulatedBox(
                name, try #require(WebSocketURL("ws://\(name).test/cii")), clock: crystal(), dac: crystal(),
                screen: SimulatedScreen(
                    refresh, vblanks, phase: .random(in: 0...refresh.period.count, using: &random)),
                delay: .milliseconds(delays[number % delays.count]))
        }
        var channel = SimulatedChannel(sender: crystal())
        channel.jitter = jitter
        (self.network, self.channel, self.random) = (network, channel, random)
    }

    var alive: [SimulatedBox] { boxes.filter(\.isAlive) }
    var leader: SimulatedBox? { alive.first { $0.group.role == .leading } }

    func tune(_ box: SimulatedBox) {
        box.tune(headroom: box.group.role == .leading ? headroom : .zero, at: now)
        if box.group.role == .leading { box.player?.steer(by: 0, at: box.clock.reading(at: now)) }
        if box.follower != nil { box.beginHeld(at: box.clock.reading(at: now)) }
        let number = channel.packet(after: now)
        box.nextPacket = (number, channel.arrival(of: number, &random))
    }

    /// Its power fails.
    func kill(_ box: SimulatedBox) { box.isAlive = false }

    // MARK: Time

    func run(until end: Int64, _ heard: (SimulatedVenue) -> Void = { _ in }) {
        let picture = SimulatedChannel.picture.count
        var nextHearing = (now / picture + 1) * picture
        for box in boxes { box.nextEvent = nextEvent(of: box) }
        while true {
            var (next, who) = (min(end, queue.last?.at ?? .max), nil as SimulatedBox?)
            for box in boxes where box.nextEvent < next { (next, who) = (box.nextEvent, box) }
            now = max(now, next)
            if now >= nextHearing {
                heard(self)
                nextHearing += picture
            }
            if let who {
                step(who)
                who.nextEvent = nextEvent(of: who)
            } else if let last = queue.last, last.at <= now, last.at < end {
                queue.removeLast()
                deliver(last)
            } else {
                return
            }
        }
    }

    private func tick(of box: SimulatedBox) -> Int64 {
        box.follower.map { box.clock.time(of: $0.requester.nextTick) } ?? .max
    }

    private func nextEvent(of box: SimulatedBox) -> Int64 {
        guard box.isAlive else { return .max }
        var next = min(box.nextGroup, box.nextLook, box.nextPacket.at, tick(of: box))
        if box.player != nil { next = min(next, box.screen.nextDecision, box.speaker.nextPeriod) }
        return next
    }

    private func step(_ box: SimulatedBox) {
        let local = box.clock.reading(at: now)
        if box.nextGroup <= now {
            perform(box.group.tick(at: local), of: box)
        } else if box.nextLook <= now {
            look(box, at: local)
        } else if box.nextPacket.at <= now {
            receive(box, at: local)
        } else if box.player != nil, box.screen.nextDecision <= now {
            box.decide(&random)
        } else if box.player != nil, box.speaker.nextPeriod <= now {
            box.play(&random)
        } else if let actions = box.follower?.requester.tick(at: local) {
            perform(actions, of: box)
        }
    }

    // MARK: What comes

    private func receive(_ box: SimulatedBox, at local: Monotonic) {
        let number = box.nextPacket.number
        let isLost = random.percent(channel.lost)
        switch channel.packet(number) {
        case .reference(let pcr): if !isLost { box.player?.referenceReceived(pcr, packet: number, at: local) }
        case .picture(let picture):
            box.player?.pictureReceived(picture, packet: number, isRepaired: isLost, at: local)
        }
        box.nextPacket = (number + 1, max(now + 1, channel.arrival(of: number + 1, &random)))
    }

    private func look(_ box: SimulatedBox, at local: Monotonic) {
        box.nextLook = now + SimulatedBox.look.count + .random(in: 0...SimulatedBox.lookJitter, using: &random)
        send(box.publish(at: local))
        guard var follower = box.follower, var held = box.held, let player = box.player else { return }
        let (actions, told) = follower.look(player, &held, at: local)
        (box.follower, box.held) = (follower, held)
        box.perform(actions, at: local)
        if let told {
            send(.presentation(told.octets, client: follower.client), to: follower.leader, of: follower.client)
        }
        if box.held?.controller.state == .running, box.held?.controller.accuracy.error != nil {
            perform(box.group.locked(at: local), of: box)
        }
    }

    private func deliver(_ sent: Sent) {
        guard let box = boxes.first(where: { $0.name == sent.to }), box.isAlive else { return }
        defer { box.nextEvent = nextEvent(of: box) }
        let local = box.clock.reading(at: now)
        switch sent.message {
        case .announcement(let announcement): perform(box.group.received(announcement, at: local), of: box)
        case .wallClock(let response, let client):
            guard box.follower?.client.number == client,
                let actions = box.follower?.requester.responseReceived(response, at: local)
            else { return }
            perform(actions, of: box)
        case .setup(let client):
            guard box.server != nil else { return }
            send(box.server?.opened(client, at: local) ?? [])
            let setup = SetupData(contentIDStem: ContentIDStem(""), timelineSelector: .pts)
            send(
                box.server?.received(setup.octets, from: client, wallClock: box.wallClock(at: local)) ?? [])
        case .timestamp(let text, let client):
            guard box.follower?.client.number == client, let timestamp = try? ControlTimestamp(parsing: text) else {
                return
            }
            if box.follower?.receive(timestamp) == true { box.follow(at: local) }
        case .presentation(let text, let client):
            send(box.server?.received(text, from: client, wallClock: box.wallClock(at: local)) ?? [])
        }
    }

    // MARK: What is done

    private func perform(_ actions: [SyncGroup.Action], of box: SimulatedBox) {
        let local = box.clock.reading(at: now)
        for action in actions {
            switch action {
            case .announce(let announcement):
                for other in boxes where other !== box && !random.percent(channel.lost) {
                    enqueue(.announcement(announcement), to: other.name, at: now + network.exchange(&random).there)
                }
            case .lead(let era):
                let continues = !era.hasPrefix(box.name)
                if continues { handovers.append(now) }
                box.lead(continues: continues, at: local)
            case .follow(let name, _, let continues):
                follow(name, continues: continues, box, at: local)
            case .wait: break
            }
        }
        box.nextGroup = max(now, box.clock.time(of: box.group.nextTick))
    }

    private func follow(_ name: String, continues: Bool, _ box: SimulatedBox, at local: Monotonic) {
        clients += 1
        box.server = nil
        box.follower = SimulatedFollower(name, client: CompanionClient(number: clients), at: local)
        if box.held == nil || !continues {
            if box.player != nil { box.beginHeld(at: local) }
        } else {
            box.perform(box.held?.controller.timelineLost(at: local) ?? [], at: local)
        }
    }

    private func perform(_ actions: [WallClockRequester.Action], of box: SimulatedBox) {
        guard let follower = box.follower, let leader = boxes.first(where: { $0.name == follower.leader }) else {
            return
        }
        for action in actions {
            switch action {
            case .send(let originate):
                let (there, held, back) = network.exchange(&random)
                guard leader.isAlive, !random.percent(channel.lost), !random.percent(channel.lost) else { continue }
                let (received, sent) = (now + there, now + there + held)
                func reading(_ time: Int64) -> WallClockInstant {
                    WallClockInstant(nanoseconds: leader.wallClock(at: leader.clock.reading(at: time)).nanoseconds)
                }
                let response = WallClockResponse(
                    .response, originate: originate, requestReceived: reading(received), responseSent: reading(sent),
                    server: ClockQuality(precision: .microseconds(1), frequencyError: .ppm(50)))
                enqueue(.wallClock(response, client: follower.client.number), to: box.name, at: sent + back)
            case .report(.acquired):
                guard !follower.isConnected else { continue }
                box.follower?.isConnected = true
                let at = now + Self.connecting + network.exchange(&random).there
                enqueue(.setup(client: follower.client), to: leader.name, at: at)
            case .report(.lost):
                let local = box.clock.reading(at: now)
                box.perform(box.held?.controller.timelineLost(at: local) ?? [], at: local)
            case .report: break
            }
        }
    }

    private func send(_ actions: [CompanionServerAction]) {
        for case .send(let client, let text) in actions {
            guard let box = boxes.first(where: { $0.follower?.client == client }) else { continue }
            // A server holds on to what was not sent, and gives up who does not take it.
            boxes.first { $0.name == box.follower?.leader }?.server?.sent(client, octets: text.count)
            send(.timestamp(text, client: client.number), to: box.name, of: client)
        }
    }

    /// In the order of the connection.
    private func send(_ message: Message, to name: String, of client: CompanionClient) {
        var at = now + network.exchange(&random).there
        if random.percent(channel.lost) { at += Self.retransmission }
        at = max(at, arrivals[client.number] ?? 0)
        arrivals[client.number] = at
        enqueue(message, to: name, at: at)
    }

    private func enqueue(_ message: Message, to name: String, at time: Int64) {
        let index = queue.lastIndex { $0.at > time }.map { $0 + 1 } ?? 0
        queue.insert(Sent(at: time, to: name, message: message), at: index)
    }
}
