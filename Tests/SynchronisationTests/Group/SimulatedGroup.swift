// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import TestSupport
import Testing
import Time

@testable import Synchronisation

/// Boxes and the network between them, in simulated time.
struct SimulatedGroup {
    struct Box {
        var group: SyncGroup
        var isAlive = true
        var ticks: Monotonic
        /// When it will be locked to what it follows; nil if it is, or follows nothing.
        var locks: Monotonic?
        /// Names of eras in which it presented, in their order.
        var eras: [String] = []
        /// Those that it follows without knowing their clocks to be the same: each is a jump.
        var jumps = 0
        /// The part of the network in which it is.
        var part = 0
    }

    static let lockTakes = Nanoseconds.milliseconds(800)

    private(set) var boxes: [String: Box] = [:]
    private var names: [String] = []
    private(set) var now = Monotonic(nanoseconds: 9_000_000_000)
    /// Of 100 announcements, for each that hears them.
    var lost = 0
    private var random: SplitMix64
    private var sent: [(at: Monotonic, to: String, message: GroupAnnouncement)] = []

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func switchOn(_ name: String, isAppointed: Bool = false) throws {
        let url = try #require(WebSocketURL("ws://\(name).test/cii"))
        boxes[name] = Box(
            group: SyncGroup(name: "lobby", box: name, isAppointed: isAppointed, ciiURL: url, at: now), ticks: now)
        names = boxes.keys.sorted()
    }

    mutating func switchOff(_ name: String) { boxes[name]?.isAlive = false }

    mutating func place(_ names: [String], inPart part: Int) {
        for name in names { boxes[name]?.part = part }
    }

    mutating func refuse(_ name: String, by judge: String) {
        perform(boxes[judge]?.group.refuse(name, at: now) ?? [], of: judge)
    }

    var alive: [String] { names.filter { boxes[$0]?.isAlive == true } }
    var leaders: [String] { alive.filter { boxes[$0]?.group.role == .leading } }
    /// Whom the others follow; "-" stands for nobody.
    var followed: Set<String> {
        Set(
            alive.compactMap { name in
                switch boxes[name]?.group.role {
                case .following(let leader): leader
                case .waiting: "-"
                case .leading, nil: nil
                }
            })
    }
    var jumps: Int { boxes.values.map(\.jumps).reduce(0, +) }
    var eras: Set<String?> { Set(alive.map { boxes[$0]?.group.era }) }

    mutating func run(for span: Nanoseconds) {
        let end = now + span
        while now < end {
            now = min(end, now + .milliseconds(10))
            let arrived = sent.filter { $0.at <= now }
            sent.removeAll { $0.at <= now }
            for (_, name, message) in arrived where boxes[name]?.isAlive == true {
                perform(boxes[name]?.group.received(message, at: now) ?? [], of: name)
            }
            for name in names where boxes[name]?.isAlive == true {
                if let locks = boxes[name]?.locks, locks <= now {
                    boxes[name]?.locks = nil
                    perform(boxes[name]?.group.locked(at: now) ?? [], of: name)
                }
                if let ticks = boxes[name]?.ticks, ticks <= now {
                    perform(boxes[name]?.group.tick(at: now) ?? [], of: name)
                }
            }
        }
    }

    private mutating func perform(_ actions: [SyncGroup.Action], of name: String) {
        for action in actions {
            switch action {
            case .announce(let message): send(message, from: name)
            case .lead(let era):
                boxes[name]?.locks = nil
                boxes[name]?.eras.append(era)
            case .follow(_, _, let continues):
                if !continues, boxes[name]?.eras.isEmpty == false { boxes[name]?.jumps += 1 }
                if !continues { boxes[name]?.eras.append("followed") }
                boxes[name]?.locks = now + Self.lockTakes
            case .wait: boxes[name]?.locks = nil
            }
        }
        if let ticks = boxes[name]?.group.nextTick { boxes[name]?.ticks = ticks }
    }

    private mutating func send(_ message: GroupAnnouncement, from name: String) {
        for other in names where other != name && boxes[other]?.part == boxes[name]?.part {
            guard !random.percent(lost) else { continue }
            sent.append((now + .microseconds(.random(in: 200...40_000, using: &random)), other, message))
        }
    }
}
