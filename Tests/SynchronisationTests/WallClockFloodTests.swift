// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Network
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Synchronisation

/// Whatever comes to the sockets of client and server, neither ends and the clock stays right.
@Suite(.serialized) struct WallClockFloodTests {
    private static let count = 100_000

    @Test func aServerSurvivesGarbageOfEveryLength() async throws {
        let scene = try WallClockScene(pacing: WallClockScene.quick)
        defer { scene.client.stop() }
        let (server, own) = try scene.serve()
        defer { server.stop() }
        let stranger = try StampedSocket(connectedTo: own)
        var random = SplitMix64(seed: 1 &+ Effort.seed)
        var sent: UInt64 = 0
        for length in Array(0...128) + [1_472, 65_507] where length != WallClockMessage.octetCount {
            let octets = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            try stranger.send(octets, isStamped: false)
            // Another version, a type that there is not, and what only a server sends.
            for (place, octet) in [(0, 1), (1, 4), (1, 1)] as [(Int, UInt8)] {
                var message = WallClockMessage.request(originate: 1).octets
                message[place] = octet
                try stranger.send(message, isStamped: false)
            }
            sent += 1
            scene.awaits("\(length) octets") { server.reading.requests.datagramsMalformed == 3 * sent }
        }
        #expect(server.reading.requests.messagesUnexpected == sent && server.reading.requests.requests == 0)
        scene.client.follow(own)
        await onThread {
            scene.awaits(.acquired, of: own)
            scene.checkClock(against: server, times: 20)
        }
    }

    /// From other ports of the client's own machine, and valid requests beside.
    @Test func aClientStaysLockedWhileItsServerIsFlooded() async throws {
        let scene = try WallClockScene(pacing: WallClockScene.quick)
        defer { scene.client.stop() }
        let (server, own) = try scene.serve()
        defer { server.stop() }
        try await onThread { () -> Result<Void, any Error> in
            Result {
                scene.client.follow(own)
                scene.awaits(.acquired, of: own)
                // Its rate is limited apart from the client's, by its address.
                let flooder = try StampedSocket(boundTo: DatagramPeer(NumericAddress(v4: 0x7f00_0002), port: 0))
                let stranger = try StampedSocket(connectedTo: own)
                var random = SplitMix64(seed: 2 &+ Effort.seed)
                for number in 0..<Self.count {
                    if number.isMultiple(of: 2) {
                        try stranger.send(Self.noise(&random), isStamped: false)
                    } else {
                        let request = WallClockMessage.request(originate: random.next())
                        try flooder.send(request.octets, to: own, isStamped: false)
                    }
                    if number.isMultiple(of: 1_000) { scene.checkClock(against: server, times: 1) }
                }
                scene.awaits("the flood") { server.reading.requests.datagramsMalformed > 1_000 }
                scene.checkClock(against: server, times: 20)
                let reading = server.reading
                #expect(reading.requests.requestsOverRate > 1_000)
                // On an idle machine it may keep up with all that one thread sends.
                let requests = reading.requests
                let taken = requests.datagramsMalformed + requests.messagesUnexpected + requests.requests
                let known = taken + requests.requestsOverRate
                let keptUp = known >= UInt64(Self.count)
                #expect(reading.counters.rests > 0 || keptUp, "it neither kept up nor rested: \(known)")
                // On a busy machine the flood leaves no room for the client's own requests for a while; its clock runs on.
                scene.awaits("the server") { scene.client.reading.state == .locked }
                #expect(scene.events.allSatisfy { [.acquired, .lost, .regained].contains($0.event) })
            }
        }.get()
    }

    /// By the server's own socket, so that the kernel lets it through; others' does not reach the client.
    @Test func aClientStaysLockedWhileItIsFlooded() async throws {
        let scene = try WallClockScene()
        defer { scene.client.stop() }
        try await onThread { () -> Result<Void, any Error> in
            Result {
                let server = try NoisyServer()
                scene.client.follow(server.own)
                while scene.client.reading.state != .locked || scene.client.reading.clock == nil {
                    try server.answer()
                }
                let stranger = try StampedSocket(boundTo: DatagramPeer(WallClockScene.loopback, port: 0))
                let client = try #require(server.client)
                var random = SplitMix64(seed: 3 &+ Effort.seed)
                for number in 0..<Self.count {
                    try server.socket.send(Self.noise(&random), to: client, isStamped: false)
                    try stranger.send(Self.noise(&random), to: client, isStamped: false)
                    guard number.isMultiple(of: 50) else { continue }
                    try server.answer(waits: false)
                    let now = SystemClock.monotonic()
                    guard number.isMultiple(of: 1_000), let clock = scene.client.reading.clock else { continue }
                    let error = clock.wallClock(at: now) - WallClockInstant(nanoseconds: now.nanoseconds)
                    #expect(error.magnitude <= clock.dispersion(at: now))
                }
                for length in 0...128 {
                    try server.socket.send([UInt8](repeating: 0, count: length), to: client, isStamped: false)
                    try server.answer(waits: false)
                }
                let reading = scene.client.reading
                #expect(reading.counters.datagramsMalformed > 1_000)
                #expect(reading.counters.datagramsForeign == 0)
                #expect(reading.state == .locked || reading.state == .lost && reading.clock != nil)
            }
        }.get()
    }

    /// Of the size of a message mostly, and sometimes a response to a request that there was not.
    private static func noise(_ random: inout SplitMix64) -> [UInt8] {
        let length = random.percent(80) ? WallClockMessage.octetCount : Int(random.next() % 64)
        var octets = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        if length >= 2, random.percent(50) { (octets[0], octets[1]) = (0, UInt8(1 + random.next() % 3)) }
        return octets
    }
}

/// A server by whose socket a test also sends something else.
private final class NoisyServer {
    let socket: StampedSocket
    let own: DatagramPeer
    private(set) var client: DatagramPeer?
    private var batch = DatagramBatch(slots: 16, octets: 64)
    private var responder = WallClockResponder(quality: .own())
    private let wait: DescriptorWait

    init() throws {
        socket = try StampedSocket(boundTo: DatagramPeer(WallClockScene.loopback, port: 0))
        own = try #require(socket.ownPeer)
        wait = try DescriptorWait()
    }

    /// Answers what is there.
    func answer(waits: Bool = true) throws {
        if waits { _ = wait.wait(for: [socket.rawValue], until: SystemClock.monotonic() + .milliseconds(100)) }
        for index in 0..<(try socket.receive(into: &batch)) {
            let request = try batch.withBytes(index) { try WallClockMessage($0) }
            let peer = batch.peer(index)
            client = peer
            let answer = responder.requestReceived(
                from: peer.address, arrival: batch.arrival(index), now: SystemClock.monotonic())
            guard let answer else { continue }
            let message = WallClockMessage(.response, to: request.originate, answer, sent: answer.responseSent)
            try socket.send(message.octets, to: peer, isStamped: false)
        }
    }
}
