// SPDX-License-Identifier: Apache-2.0
import Buffers
import Network
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Synchronisation

/// Client and server over real sockets of the loopback interface.
@Suite(.serialized) struct WallClockSocketTests {
    @Test func locksWithinASecond() async throws { try await locks(at: WallClockScene.loopback) }

    @Test(.enabled(if: Loopback.hasIPv6)) func locksWithinASecondByIPv6() async throws {
        try await locks(at: WallClockScene.loopbackOfIPv6)
    }

    private func locks(at address: NumericAddress) async throws {
        let scene = try WallClockScene()
        defer { scene.client.stop() }
        let (server, own) = try scene.serve(at: address, offset: .seconds(1_000))
        defer { server.stop() }
        try await onThread { () -> Result<Void, any Error> in
            Result {
                #expect(scene.client.reading.clock == nil && scene.client.reading.server == nil)
                scene.client.follow(own)
                scene.awaits(.acquired, of: own, within: .seconds(1))
                #expect(scene.client.reading.state == .locked && scene.client.reading.server == own)
                let errors = scene.checkClock(against: server)
                #expect(errors.median < 500_000)
                let dispersion = scene.client.reading.clock?.dispersion(at: SystemClock.monotonic()) ?? .seconds(1)
                #expect(dispersion < .milliseconds(2))
                // The loopback stamps what is sent: requests, and responses, which are followed up.
                let (client, serving) = (scene.client.reading, server.reading)
                #expect(client.counters.requestsStamped + 1 >= client.requests.requests)
                #expect(client.requests.followUps >= 10 && serving.counters.followUps >= client.requests.followUps)
                #expect(client.requests.candidatesRefused == 0 && serving.counters.followUpsUnstamped == 0)
                #expect(serving.counters.responses + 1 >= client.requests.requests)
                #expect(client.problem == nil && serving.problem == nil)
            }
        }.get()
    }

    @Test func anotherServerAndNoneAreFollowed() async throws {
        let scene = try WallClockScene(pacing: WallClockScene.quick)
        defer { scene.client.stop() }
        let (first, firstAt) = try scene.serve()
        defer { first.stop() }
        let (second, secondAt) = try scene.serve(offset: .seconds(7))
        defer { second.stop() }
        await onThread {
            scene.client.follow(firstAt)
            scene.awaits(.acquired, of: firstAt)
            scene.checkClock(against: first, times: 20)
            scene.client.follow(secondAt)
            scene.awaits(.acquired, of: secondAt)
            scene.awaits("the step") { scene.client.reading.requests.clockSteps == 1 }
            scene.checkClock(against: second, times: 20)
            #expect(scene.client.reading.requests.serverSteps == 0)
            scene.client.follow(nil)
            scene.awaits("an end of the clock") { scene.client.reading.clock == nil }
            let asked = second.reading.requests.requests
            scene.client.follow(firstAt)
            scene.awaits("the clock") { scene.client.reading.clock != nil }
            scene.checkClock(against: first, times: 20)
            #expect(second.reading.requests.requests == asked)
        }
    }

    /// A server that is given up and followed again before the thread has looked is acquired again, since whoever follows
    /// it waits for that (`sync.md` F5).
    @Test func theSameServerIsFollowedAgainAtOnce() async throws {
        let scene = try WallClockScene(pacing: WallClockScene.quick)
        defer { scene.client.stop() }
        let (server, own) = try scene.serve()
        defer { server.stop() }
        await onThread {
            for _ in 0..<20 {
                scene.client.follow(nil)
                let call = scene.client.follow(own)
                scene.awaits("the clock of call \(call)") {
                    scene.events.contains { $0.call == call && $0.event == .acquired }
                }
                #expect(scene.client.reading.call == call && scene.client.reading.state == .locked)
            }
        }
    }

    @Test func aServerThatDiesAndComesBackIsRegained() async throws {
        let scene = try WallClockScene(pacing: WallClockScene.quick)
        defer { scene.client.stop() }
        let (server, own) = try scene.serve()
        await onThread {
            scene.client.follow(own)
            scene.awaits(.acquired, of: own)
            server.stop()
            scene.awaits(.lost, of: own)
            let lost = scene.client.reading
            #expect(lost.state == .lost && lost.clock != nil)
            // The clock runs on.
            scene.checkClock(against: server, times: 20)
        }
        let (successor, place) = try scene.serve(port: own.port)
        defer { successor.stop() }
        #expect(place == own)
        await onThread {
            scene.awaits(.regained, of: own)
            scene.awaits("the lock") { scene.client.reading.state == .locked }
            scene.checkClock(against: successor, times: 20)
            #expect(scene.client.reading.requests.clockSteps == 0)
        }
    }

    /// One that the machine does not have, one that another program has, and one that is listed twice.
    @Test func eachAddressIsServedForItself() async throws {
        let scene = try WallClockScene(pacing: WallClockScene.quick)
        defer { scene.client.stop() }
        let other = try StampedSocket(boundTo: DatagramPeer(WallClockScene.loopback, port: 0))
        let taken = try #require(other.ownPeer)
        let foreign = DatagramPeer(NumericAddress(v4: 0xcb00_7107), port: 6_677)
        let (server, own) = try scene.serve()
        defer { server.stop() }
        let good = DatagramPeer(WallClockScene.loopback, port: 0)
        server.serve(at: [good, foreign, taken, good])
        scene.awaits("the endpoints") { server.reading.endpoints.count == 3 }
        let reading = server.reading
        // The first one is not interrupted.
        #expect(reading.endpoints.map(\.bound) == [own, nil, nil] && reading.problem != nil)
        scene.client.follow(own)
        await onThread { scene.awaits(.acquired, of: own) }
        server.serve(at: [good])
        scene.awaits("one endpoint") { server.reading.endpoints.count == 1 && server.reading.problem == nil }
    }

    @Test func aTakenAddressIsServedOnceItIsFree() throws {
        let scene = try WallClockScene()
        defer { scene.client.stop() }
        var other: StampedSocket? = try StampedSocket(boundTo: DatagramPeer(WallClockScene.loopback, port: 0))
        let taken = try #require(other?.ownPeer)
        let server = try WallClockServer(at: [taken]) { scene.wakeup.signal() }
        defer { server.stop() }
        scene.awaits("a problem") { server.reading.problem != nil }
        other = nil
        scene.awaits("the address") { server.reading.endpoints.first?.bound == taken }
        #expect(server.reading.problem == nil)
    }

    /// The kernel's stamps are by the wall clock.
    @Test func aStepOfTheMachinesWallClockDisturbsNothing() async throws {
        let step = LatestValue(StampingClock.Step())
        let scene = try WallClockScene(pacing: WallClockScene.quick, stamping: StampingClock(step))
        defer { scene.client.stop() }
        let (server, own) = try scene.serve(stamping: StampingClock(step))
        defer { server.stop() }
        await onThread {
            scene.client.follow(own)
            scene.awaits(.acquired, of: own)
            for span in [Nanoseconds.seconds(3_600), .seconds(-7_200), .milliseconds(3)] {
                step.set(step.value.stepped(by: span, at: SystemClock.wall()))
                scene.checkClock(against: server, times: 300)
            }
            #expect(scene.events.map(\.event) == [.acquired])
            #expect(scene.client.reading.requests.candidatesRefused == 0)
        }
    }

    @Test func threadsEndSoonAndTwice() throws {
        let scene = try WallClockScene()
        let (server, own) = try scene.serve()
        scene.client.follow(own)
        let start = SystemClock.monotonic()
        scene.client.stop()
        server.stop()
        #expect(SystemClock.monotonic() - start < .seconds(1))
        scene.client.stop()
        server.stop()
    }
}
