// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Network
import System
import Testing
import Time
import Web

@testable import Synchronisation

/// A television on the loopback interface with real sockets, and a link to it on the loop of the test.
final class ServedTelevision {
    let loop: EventLoop
    let clock: WallClockServer
    private(set) var events: [CompanionEvent] = []
    private(set) var setups: [String] = []
    private let server: WebServer
    private let port: UInt16
    private var information: WebClient?
    private var timelines: [WebClient] = []

    init() throws {
        loop = try EventLoop()
        let address = DatagramPeer(WallClockScene.loopback, port: 0)
        clock = try WallClockServer(at: [address], offset: .seconds(1_000))
        let listener = try TCPListener(["127.0.0.1"], port: 0)
        port = listener.port
        server = try WebServer(listener, messageLimit: 4_096, wake: {}, admit: { _, _ in nil })
    }

    /// Begins to follow the television.
    /// - Parameter port: nil for the television's own.
    func follow(port: UInt16? = nil) throws -> TelevisionLink {
        try awaits("the wall clock's socket") { clock.reading.endpoints.first?.bound != nil }
        let url = CompanionScript.url("ws://127.0.0.1:\(port ?? self.port)/cii")
        let settings = CompanionSettings(.described(by: url, selectors: [.pts], stems: []))
        let link = try TelevisionLink(settings, loop: loop) { [unowned self] in events.append($0) }
        link.start()
        return link
    }

    /// Stops the link, and waits for its threads.
    func end(_ link: TelevisionLink) {
        do throws(SystemCallError) {
            let ending = try ThreadEnding(loop: loop)
            link.stop(by: ending)
            ending.stop()
        } catch {
            Issue.record("\(error)")
        }
    }

    func stop() {
        server.stop()
        clock.stop()
    }

    // MARK: Time

    func awaits(_ what: Comment, within limit: Nanoseconds = .seconds(20), _ isSo: () -> Bool) throws {
        let end = SystemClock.monotonic() + limit
        while !isSo() {
            guard SystemClock.monotonic() < end else { throw Missing(what: "\(what); \(events)") }
            try loop.turn(atMost: .milliseconds(10))
            for report in server.takeReports() { handle(report) }
        }
    }

    struct Missing: Error { let what: String }

    private func handle(_ report: WebReport) {
        switch report {
        case .opened(let client, let request) where request.path == "/cii":
            information = client
            present("dvb://1")
        case .received(let client, let message):
            setups.append(String(decoding: message, as: UTF8.self))
            timelines.append(client)
            tell(90_000)
        case .closed(let client):
            if information == client { information = nil }
            timelines.removeAll { $0 == client }
        case .opened, .request, .sent, .failed, .applied: break
        }
    }

    // MARK: What it tells

    /// - Parameters:
    ///   - timelinePath: of the server of timelines.
    ///   - server: of the wall clock; nil for the television's own.
    func present(_ contentID: String, timelinePath: String = "/ts", wallClockOf server: DatagramPeer? = nil) {
        guard let information, let wallClock = server ?? clock.reading.endpoints.first?.bound else { return }
        let text = """
            {"protocolVersion":"1.1","contentId":"\(contentID)","contentIdStatus":"final","presentationStatus":"okay",\
            "wcUrl":"udp://127.0.0.1:\(wallClock.port)","tsUrl":"ws://127.0.0.1:\(port)\(timelinePath)",\
            "timelines":[{"timelineSelector":"urn:dvb:css:timeline:pts",\
            "timelineProperties":{"unitsPerTick":1,"unitsPerSecond":90000}}]}
            """
        self.server.send(Array(text.utf8), to: information)
    }

    /// It has no wall clock from now on.
    func takeWallClockBack() {
        guard let information else { return }
        server.send(Array(#"{"wcUrl":null}"#.utf8), to: information)
    }

    /// The timeline is here from now on.
    /// - Parameter contentTime: nil if it is not available.
    func tell(_ contentTime: Int64?, speed: Double = 1) {
        let now = clock.wallClock(at: SystemClock.monotonic())
        let timestamp = CompanionScript.timestamp(now.nanoseconds, contentTime, speed)
        for client in timelines { server.send(timestamp.octets, to: client) }
    }
}
