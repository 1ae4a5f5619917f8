// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Markup
import Network
import System
import Time
import Transfer

/// Finds televisions on the link of one interface, with sockets and a thread for HTTP: it carries out what a
/// `TelevisionSearch` wants.
/// - Thread: the loop's only.
public final class TelevisionFinder {
    public enum Event: Hashable, Sendable {
        /// It is there, or has other services than before.
        case found(Television)
        case lost(Television)
    }

    private let loop: EventLoop
    private let report: (Event) -> Void
    private let endpoint: DiscoveryEndpoint
    private let transfers: TransferClient
    private let waker: Waker
    private var search: TelevisionSearch
    private var fetches: [TransferClient.Transfer: (url: HTTPURL, name: String)] = [:]
    private var random = SystemRandomNumberGenerator()
    private var timer: EventLoop.Timer?
    private var isRunning = false

    /// - Parameters:
    ///   - interface: name. It may come later.
    ///   - report: called on the loop's thread.
    public init(
        on interface: String, loop: EventLoop, report: @escaping (Event) -> Void
    ) throws(SystemCallError) {
        (self.loop, self.report) = (loop, report)
        endpoint = DiscoveryEndpoint(on: interface, loop: loop)
        search = TelevisionSearch(at: SystemClock.monotonic())
        let inbox = LateHandler()
        let waker = try loop.makeWaker { inbox.handler() }
        self.waker = waker
        do throws(SystemCallError) {
            transfers = try TransferClient { waker.wake() }
        } catch {
            loop.remove(waker)
            throw error
        }
        inbox.handler = { [weak self] in self?.awoken() }
    }

    /// In the order of their unique names.
    public var televisions: [Television] { search.televisions }
    /// Why nothing is found; nil while there is a socket.
    public var problem: SystemCallError? { endpoint.problem }

    public var counters: TelevisionFinderCounters {
        TelevisionFinderCounters(
            search: search.counters, sendFailures: endpoint.counters.sendFailures, rests: endpoint.counters.rests,
            socketFailures: endpoint.counters.socketFailures)
    }

    public func start() {
        isRunning = true
        endpoint.received = { [weak self] bytes, peer, isOnLink in
            guard let self else { return }
            let now = SystemClock.monotonic()
            perform(search.datagramReceived(bytes, from: peer.address, isOnLink: isOnLink, at: now))
        }
        endpoint.opened = { [weak self] in
            self?.search.linkCame(at: SystemClock.monotonic())
            self?.tick()
        }
        endpoint.start()
        tick()
    }

    /// Ends everything, its thread included. Nothing is reported any more.
    public func stop() {
        isRunning = false
        if let timer { loop.cancel(timer) }
        timer = nil
        endpoint.stop()
        transfers.stop()
        loop.remove(waker)
    }

    private func tick() { perform(search.tick(at: SystemClock.monotonic(), &random)) }

    private func perform(_ actions: [TelevisionSearch.Action]) {
        for action in actions {
            switch action {
            case .send(let octets): endpoint.announce(octets)
            case .fetch(let url, let name): fetch(url, of: name)
            case .found(let television): report(.found(television))
            case .lost(let television): report(.lost(television))
            }
        }
        schedule()
    }

    private func fetch(_ url: HTTPURL, of name: String) {
        let request = TransferRequest(
            url.description, mostOctets: MarkupElement.longest, timeout: TelevisionSearch.fetchTimeout,
            fields: ["Application-URL"], staysOnLink: true)
        fetches[transfers.begin(request)] = (url, name)
    }

    private func awoken() {
        guard isRunning else { return }
        for report in transfers.takeReports() {
            guard let (url, name) = fetches.removeValue(forKey: report.transfer) else { continue }
            var (document, applications): ([UInt8]?, String?) = (nil, nil)
            // Why there is none does not matter: the search counts it and leaves the device alone for a while.
            if case .success(let response) = report.result, response.status == 200 {
                (document, applications) = (response.octets, response.fields["application-url"])
            }
            perform(
                search.documentCame(
                    document, from: url, of: name, applications: applications, at: SystemClock.monotonic()))
        }
    }

    private func schedule() {
        if let timer { loop.cancel(timer) }
        timer = nil
        guard isRunning else { return }
        timer = loop.after(max(.zero, search.nextTick - SystemClock.monotonic())) { [weak self] in
            self?.timer = nil
            self?.tick()
        }
    }
}
