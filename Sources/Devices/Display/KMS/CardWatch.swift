// SPDX-License-Identifier: Apache-2.0
import Buffers
import System

/// Reads connectors on request and when the kernel announces a change. It uses a thread of its own, because reading
/// takes tens of milliseconds.
final class CardWatch: Sendable {
    enum News: Sendable {
        case snapshot(CardSnapshot)
        case failure(DisplayError)
    }

    private enum Request: Sendable { case probe, readCached }

    let news: Mailbox<News>
    private let requests: Mailbox<Request>
    private let ending: StopFlag
    private let waker: LatestValue<Waker?>
    private let thread: DedicatedThread

    /// - Parameters:
    ///   - connector: the only connector that counts; nil for any.
    ///   - wake: called when `news` has something.
    init(
        _ search: CardSearch, connector: String?, wake: @escaping @Sendable () -> Void
    ) throws(SystemCallError) {
        let waker = LatestValue<Waker?>(nil)
        let requests = Mailbox<Request>(limit: 64) { waker.value?.wake() }
        let news = Mailbox<News>(limit: 64, notify: wake)
        let ending = StopFlag()
        self.requests = requests
        self.ending = ending
        self.waker = waker
        self.news = news
        thread = try DedicatedThread("connectors") {
            do throws(SystemCallError) {
                try Self.run(search, connector, requests, ending, waker, news)
            } catch {
                news.post(.failure(.missing("the watch over the connectors (\(error))")))
            }
        }
    }

    /// Requests a reading of the connectors; `news` gets the result.
    /// - Parameter probes: true probes the displays, false reads what the kernel knows.
    func poll(probes: Bool) { requests.post(probes ? .probe : .readCached) }

    func stop() {
        // Not a request: the mailbox may be full of those of a card that does not answer.
        ending.raise()
        waker.value?.wake()
        thread.join()
    }

    private static func run(
        _ search: CardSearch, _ connector: String?, _ requests: Mailbox<Request>, _ ending: StopFlag,
        _ waker: LatestValue<Waker?>, _ news: Mailbox<News>
    ) throws(SystemCallError) {
        let loop = try EventLoop()
        var search = search
        func probe(isHotplug: Bool) {
            do throws(DisplayError) {
                news.post(.snapshot(try search.probe(for: connector, isHotplug: isHotplug)))
            } catch {
                news.post(.failure(error))
            }
        }
        func readCached() {
            do throws(DisplayError) {
                news.post(.snapshot(try search.readCached()))
            } catch {
                probe(isHotplug: false)
            }
        }
        let own = try loop.makeWaker { [unowned loop] in
            if ending.isRaised { return loop.stop() }
            let taken = requests.takeAll()
            if taken.contains(.probe) { probe(isHotplug: false) } else if !taken.isEmpty { readCached() }
        }
        waker.set(own)
        own.wake()  // handles requests from before the waker was set
        // Without uevents, changes are only seen by polling.
        let uevents = try? UeventSocket()
        if let uevents {
            _ = try loop.watch(uevents.rawValue, for: .readable) { _ in
                guard let heard = try? uevents.read() else { return }  // level-triggered: tried again
                let isOurs = heard.events.contains { Hotplug($0)?.concernsScreens ?? false }
                if isOurs || heard.isIncomplete { probe(isHotplug: true) }
            }
        }
        try loop.run()
    }
}

extension Hotplug {
    fileprivate var concernsScreens: Bool {
        switch self {
        case .screen, .graphicsCard: true
        case .soundCard: false
        }
    }
}
