// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import HTTP
import Network
import Synchronization
import System
import Time
import Venue
import Web

/// What a television offers its companions, with sockets and threads: CSS-CII and CSS-TS on one TCP port, the wall clock on
/// one UDP port. Nothing else is answered there.
///
/// The wall clock is the monotonic clock.
/// - Thread: the loop's only.
public final class CompanionServices {
    public struct Places: Hashable, Sendable {
        /// Of this machine; companions are told the first one. At least one.
        public var addresses: [NumericAddress]
        /// Of CSS-CII and CSS-TS; 0 takes a free one.
        public var port: UInt16
        /// Of the wall clock; 0 takes a free one.
        public var wallClockPort: UInt16

        public init(_ addresses: [NumericAddress], port: UInt16, wallClockPort: UInt16) {
            (self.addresses, self.port, self.wallClockPort) = (addresses, port, wallClockPort)
        }
    }

    private static let informationPath = "/cii"
    private static let timelinePath = "/ts"
    /// Octets of a message of a client: set-up data and presentation timestamps are far below.
    private static let longestMessage = 8 << 10
    private static let mostClients = 1_024

    /// What the web server's thread needs to let clients in.
    private struct Doors {
        var information = CompanionAdmission(path: informationPath, mostClients: mostClients)
        var timeline = CompanionAdmission(path: timelinePath, mostClients: mostClients)
        var clients = (information: 0, timeline: 0)
    }

    private final class Entrance: Sendable {
        let doors = Mutex(Doors())

        func refusal(of request: HTTPRequest) -> HTTPResponse? {
            let refusal = doors.withLock { doors in
                request.path == doors.information.path
                    ? doors.information.refusal(path: request.path, clients: doors.clients.information)
                    : doors.timeline.refusal(path: request.path, clients: doors.clients.timeline)
            }
            return refusal.map { HTTPResponse($0.rawValue) }
        }
    }

    private let loop: EventLoop
    private let waker: Waker
    private let entrance = Entrance()
    private let web: WebServer
    private let clock: WallClockServer
    private let address: NumericAddress
    /// Of CSS-CII and CSS-TS.
    public let port: UInt16
    private var information: CIIServer
    private var timeline: TSServer
    /// Whether a client is one of CSS-CII, and not of CSS-TS.
    private var clients: [WebClient: Bool] = [:]
    /// What was published last, without the URLs.
    private var presented = ContentInformation()
    private var isPublished = false
    private var timer: EventLoop.Timer?
    private var isRunning = true

    public init(at places: Places, loop: EventLoop) throws(SystemCallError) {
        self.loop = loop
        address = places.addresses[0]
        let doors = Doors()
        information = CIIServer(admission: doors.information)
        timeline = TSServer(admission: doors.timeline)
        let listener = try TCPListener(places.addresses.map { "\($0)" }, port: places.port)
        port = listener.port
        let inbox = LateHandler()
        let waker = try loop.makeWaker { inbox.handler() }
        self.waker = waker
        let entrance = entrance
        do throws(SystemCallError) {
            web = try WebServer(
                listener, connectionLimit: 2 * Self.mostClients, messageLimit: Self.longestMessage,
                wake: { waker.wake() }, admit: { request, _ in entrance.refusal(of: request) })
            do throws(SystemCallError) {
                clock = try WallClockServer(
                    at: places.addresses.map { DatagramPeer($0, port: places.wallClockPort) }, notify: { waker.wake() })
            } catch {
                web.stop()
                throw error
            }
        } catch {
            loop.remove(waker)
            throw error
        }
        inbox.handler = { [weak self] in self?.awoken() }
    }

    public var informationURL: WebSocketURL? { url(Self.informationPath) }
    public var timelineURL: WebSocketURL? { url(Self.timelinePath) }

    /// nil while the wall clock has no port.
    public var wallClockURL: WallClockURL? {
        clock.reading.endpoints.first { $0.requested.address == address }?.bound.map {
            WallClockURL(address, port: $0.port)
        }
    }

    public var clientCounts: (information: Int, timeline: Int) { (information.clientCount, timeline.clientCount) }
    public var informationCounters: CIIServerCounters { information.counters }
    public var timelineCounters: TSServerCounters { timeline.counters }
    public var wallClockReading: WallClockServer.Reading { clock.reading }

    public func wallClock(at now: Monotonic) -> WallClockTime {
        WallClockTime(nanoseconds: clock.wallClock(at: now).nanoseconds)
    }

    /// Tells all companions what is presented from now on, and where its timelines are. The URLs are filled in.
    public func publish(_ presented: ContentInformation, _ timelines: PublishedTimelines) {
        self.presented = presented
        isPublished = true
        publishInformation()
        publish(timelines)
    }

    private func publishInformation() {
        var presented = presented
        presented.wcURL = wallClockURL
        presented.tsURL = timelineURL
        perform(information.publish(presented))
    }

    /// Tells who follows a timeline where it is.
    public func publish(_ timelines: PublishedTimelines) {
        perform(timeline.publish(timelines, wallClock: wallClock(at: SystemClock.monotonic())))
    }

    /// Companions are sent away and refused while this is false. The wall clock goes on.
    public func setEnabled(_ isEnabled: Bool) {
        entrance.doors.withLock { doors in
            doors.information.isEnabled = isEnabled
            doors.timeline.isEnabled = isEnabled
        }
        perform(information.setEnabled(isEnabled))
        perform(timeline.setEnabled(isEnabled))
    }

    /// How much later than without companions a timeline should be presented; nil if none of them asks for a delay.
    public func commonDelay(of selector: TimelineSelector) -> Nanoseconds? { timeline.commonDelay(of: selector) }

    /// Sends all companions away, and ends the threads a little later.
    /// - Parameter report: called on the loop's thread when the ports are free again.
    public func stop(by ending: ThreadEnding, then report: @escaping () -> Void) {
        leave()
        ending.end(
            { [web, clock] in
                web.stop()
                clock.stop()
            }, then: report)
    }

    /// Sends all companions away, and ends the threads.
    public func stop() {
        leave()
        web.stop()
        clock.stop()
    }

    private func leave() {
        isRunning = false
        if let timer { loop.cancel(timer) }
        timer = nil
        loop.remove(waker)
    }

    // MARK: Clients

    private func awoken() {
        guard isRunning else { return }
        let now = SystemClock.monotonic()
        for report in web.takeReports() {
            switch report {
            case .request(let client, _): web.respond(to: client, HTTPResponse(404))
            case .opened(let client, let request): opened(client, request, at: now)
            case .received(let client, let text): received(text, from: client, at: now)
            case .sent(let client, let octets): sent(octets, to: client)
            case .closed(let client): closed(client)
            case .failed, .applied: break
            }
        }
        // The wall clock has its port a little later, and its address may come with an interface.
        if isPublished, information.information.wcURL != wallClockURL { publishInformation() }
        count()
        schedule(at: now)
    }

    private func opened(_ client: WebClient, _ request: HTTPRequest, at now: Monotonic) {
        let isInformation = request.path == Self.informationPath
        clients[client] = isInformation
        perform(
            isInformation ? information.opened(companion(client)) : timeline.opened(companion(client), at: now))
    }

    private func received(_ text: [UInt8], from client: WebClient, at now: Monotonic) {
        guard let isInformation = clients[client] else { return }
        if isInformation { return information.received(text, from: companion(client)) }
        perform(timeline.received(text, from: companion(client), wallClock: wallClock(at: now)))
    }

    private func sent(_ octets: Int, to client: WebClient) {
        guard let isInformation = clients[client] else { return }
        if isInformation {
            information.sent(companion(client), octets: octets)
        } else {
            timeline.sent(companion(client), octets: octets)
        }
    }

    private func closed(_ client: WebClient) {
        guard let isInformation = clients.removeValue(forKey: client) else { return }
        if isInformation {
            information.closed(companion(client))
        } else {
            timeline.closed(companion(client))
        }
    }

    private func count() {
        let (information, timeline) = clientCounts
        entrance.doors.withLock { $0.clients = (information, timeline) }
    }

    private func companion(_ client: WebClient) -> CompanionClient { CompanionClient(number: client.number) }

    private func perform(_ actions: [CompanionServerAction]) {
        for action in actions {
            switch action {
            case .send(let client, let text): web.send(text, to: WebClient(number: client.number))
            case .close(let client, let status): web.close(WebClient(number: client.number), status: status)
            }
        }
    }

    private func schedule(at now: Monotonic) {
        if let timer { loop.cancel(timer) }
        timer = timeline.nextTick.map { instant in
            loop.after(max(.zero, instant - now)) { [weak self] in
                guard let self else { return }
                timer = nil
                let now = SystemClock.monotonic()
                perform(timeline.tick(at: now))
                schedule(at: now)
            }
        }
    }

    private func url(_ path: String) -> WebSocketURL? {
        WebSocketURL("ws://" + (address.isIPv6 ? "[\(address)]" : "\(address)") + ":\(port)\(path)")
    }
}
