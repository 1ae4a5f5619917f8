// SPDX-License-Identifier: Apache-2.0
import NetlinkMessages
import Radio
import System
import Time

/// What the watch's thread does: it looks at all radios and wires once a second, and after events at once.
final class RadioService {
    private static let interval = Nanoseconds.seconds(1)
    /// Events that come close together cause one look.
    private static let leastInterval = Nanoseconds.milliseconds(100)

    private let exchange: RadioExchange
    private var dialogue: KernelDialogue?
    private var events: RadioEvents?
    private var radios: NetlinkFamily?
    private var ethernet: NetlinkFamily?

    init(_ exchange: RadioExchange) { self.exchange = exchange }

    func run() {
        var due = SystemClock.monotonic()
        while !exchange.isStopped {
            _ = exchange.wait.wait(for: events.map { [$0.rawValue] } ?? [], until: due)
            guard !exchange.isStopped else { return }
            let before = due - Self.interval
            if readEvents() { due = min(due, max(before + Self.leastInterval, SystemClock.monotonic())) }
            if exchange.takeWish() { due = SystemClock.monotonic() }
            guard SystemClock.monotonic() >= due else { continue }
            look()
            due = SystemClock.monotonic() + Self.interval
        }
    }

    private func look() {
        do {
            let dialogue = try self.dialogue ?? KernelDialogue(exchange.wait)
            self.dialogue = dialogue
            if ethernet == nil { ethernet = try dialogue.family("ethtool") }
            if radios == nil, let found = try dialogue.family("nl80211") {
                radios = found
                events = try RadioEvents(found)
            }
            let observation = try radios.map { (family) throws in try dialogue.observe(family.number) }
            exchange.post(.observed(observation ?? RadioObservation(), links: try dialogue.links(ethernet?.number)))
        } catch {
            // What is asked next would get this answer: all is begun anew.
            exchange.post(.failed("\(error)"))
            (dialogue, events, radios, ethernet) = (nil, nil, nil, nil)
        }
        // The module may have been removed and come again, with another number.
        if let radios, let dialogue, let found = try? dialogue.family("nl80211"), found == radios { return }
        (radios, events) = (nil, nil)
    }

    /// - Returns: whether something happened that is worth a look.
    private func readEvents() -> Bool {
        guard let events else { return false }
        do throws(SystemCallError) {
            let (told, isIncomplete) = try events.read()
            for event in told { exchange.post(.event(event)) }
            if isIncomplete { exchange.post(.lost) }
            return isIncomplete || told.contains { $0.changesAssociation }
        } catch {
            exchange.post(.failed("\(error)"))
            self.events = nil
            radios = nil
            return true
        }
    }
}

extension RadioEvent {
    /// Whether the figures of a radio are others than before.
    fileprivate var changesAssociation: Bool {
        switch kind {
        case .connected, .disconnected, .roamed, .channelSwitched, .scanEnded, .scanAborted, .interfaceAppeared,
            .interfaceChanged, .interfaceGone, .regulatoryChanged, .stationAppeared, .stationGone:
            true
        case .connectionFailed, .scanStarted, .signalFell, .signalRose, .beaconsLost, .packetsLost,
            .transmissionsFailed:
            false
        }
    }
}
