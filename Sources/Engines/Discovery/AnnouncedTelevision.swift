// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import HTTP
import Network
import System
import Time
import Venue
import Web

/// Lets a box be found as a television, with sockets and a thread for HTTP: it carries out what a `TelevisionAnnouncer`
/// wants, and answers for DIAL on a port of its own, where nothing else is.
/// - Thread: the loop's only.
public final class AnnouncedTelevision {
    public struct Place: Hashable, Sendable {
        /// Name.
        public var interface: String
        /// The address of this interface at which the description is served.
        public var address: NumericAddress
        /// TCP; 0 takes a free one.
        public var port: UInt16

        public init(interface: String, address: NumericAddress, port: UInt16) {
            (self.interface, self.address, self.port) = (interface, address, port)
        }
    }

    /// Who looks at a device's documents asks for two of them.
    private static let mostConnections = 32

    private let loop: EventLoop
    private let endpoint: DiscoveryEndpoint
    private let responder: DIALResponder
    private let web: WebServer
    private let waker: Waker
    private var announcer: TelevisionAnnouncer
    private var random = SystemRandomNumberGenerator()
    private var timer: EventLoop.Timer?
    private var isRunning = true
    private var requests = AnnouncedTelevisionCounters()
    /// Under which it is found.
    public let uniqueName: String
    public var location: HTTPURL { responder.location }

    /// - Parameters:
    ///   - description: its unique name is `uuid:` and a UUID.
    ///   - bootID: greater after each start.
    /// - Throws: EADDRNOTAVAIL if the machine has not got the address, among others.
    public init(
        at place: Place, _ description: DeviceDescription, _ services: CompanionApplication, bootID: Int,
        loop: EventLoop
    ) throws(SystemCallError) {
        self.loop = loop
        uniqueName = Self.uniqueName(of: description)
        let listener = try TCPListener(["\(place.address)"], port: place.port)
        try listener.stayOnLink()
        let host = place.address.isIPv6 ? "[\(place.address)]" : "\(place.address)"
        guard let base = HTTPURL("http://\(host):\(listener.port)"),
            let responder = DIALResponder(at: base, description, services),
            let announcement = DiscoveryAnnouncement(
                uniqueName: uniqueName, location: responder.location, bootID: bootID,
                configurationID: responder.configurationID)
        else { throw SystemCallError("announce '\(uniqueName)'", .invalid) }
        self.responder = responder
        announcer = TelevisionAnnouncer(announcement, at: SystemClock.monotonic())
        endpoint = DiscoveryEndpoint(on: place.interface, address: place.address, loop: loop)
        let inbox = LateHandler()
        let waker = try loop.makeWaker { inbox.handler() }
        self.waker = waker
        do throws(SystemCallError) {
            web = try WebServer(
                listener, connectionLimit: Self.mostConnections, wake: { waker.wake() },
                admit: { _, _ in HTTPResponse(404) })
        } catch {
            loop.remove(waker)
            throw error
        }
        inbox.handler = { [weak self] in self?.awoken() }
    }

    /// Under which a device with this description is found.
    public static func uniqueName(of description: DeviceDescription) -> String {
        "\(description.uniqueDeviceName)::\(DiscoverySearch.dial)"
    }

    public var counters: AnnouncedTelevisionCounters {
        var counters = requests
        counters.announcer = announcer.counters
        (counters.sendFailures, counters.rests) = (endpoint.counters.sendFailures, endpoint.counters.rests)
        counters.socketFailures = endpoint.counters.socketFailures
        return counters
    }

    public func start() {
        endpoint.received = { [weak self] bytes, peer, isOnLink in
            guard let self else { return }
            announcer.datagramReceived(
                bytes, from: peer.address, port: peer.port, isOnLink: isOnLink, at: SystemClock.monotonic(), &random)
            schedule()
        }
        endpoint.opened = { [weak self] in
            self?.announcer.linkCame(at: SystemClock.monotonic())
            self?.tick()
        }
        endpoint.start()
        schedule()
    }

    /// Says farewell and ends everything, its thread included.
    public func stop() {
        isRunning = false
        if let timer { loop.cancel(timer) }
        timer = nil
        perform(announcer.farewell)
        endpoint.stop()
        web.stop()
        loop.remove(waker)
    }

    private func tick() {
        perform(announcer.tick(at: SystemClock.monotonic(), &random))
        schedule()
    }

    private func perform(_ actions: [TelevisionAnnouncer.Action]) {
        for action in actions {
            switch action {
            case .announce(let octets): endpoint.announce(octets)
            case .answer(let octets, let client, let port): endpoint.send(octets, to: DatagramPeer(client, port: port))
            }
        }
    }

    private func schedule() {
        if let timer { loop.cancel(timer) }
        timer = nil
        guard isRunning else { return }
        timer = loop.after(max(.zero, announcer.nextTick - SystemClock.monotonic())) { [weak self] in
            self?.timer = nil
            self?.tick()
        }
    }

    private func awoken() {
        guard isRunning else { return }
        for case .request(let client, let request) in web.takeReports() {
            let response = responder.response(to: request) ?? HTTPResponse(404)
            switch response.code {
            case 200: requests.documents += 1
            case 403: requests.launchesRefused += 1
            default: requests.requestsRefused += 1
            }
            web.respond(to: client, response)
        }
    }
}
