// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Journal
import Signing
import Synchronisation
import System
import Time
import Venue

/// This box among those of its group: it elects with them, serves if it leads, and says whom to follow if not.
/// - Thread: the control loop's only.
final class GroupMember {
    enum Change {
        /// The session goes on by itself, and others follow it.
        case leads
        /// `continues`: the session is locked to the clocks that this leader has.
        case follows(CompanionSettings, continues: Bool)
        /// Nobody leads. The session goes on as it was.
        case waits
    }

    private let loop: EventLoop
    private let log: Log
    private let leading: LeadingBox
    private let changed: (Change) -> Void
    private let told: (LeaderChanged) -> Void
    private var group: SyncGroup
    private var link: GroupLink?
    private var timer: EventLoop.Timer?
    private var doubt = ClockDoubt()
    /// Whom the box follows; nil if it leads or waits.
    private(set) var target: CompanionSettings?

    /// - Parameters:
    ///   - leading: serves at this box. It is closed while the box does not lead.
    ///   - changed: called when the box has another role.
    ///   - told: called with each event.
    /// - Returns: nil if the key cannot be used.
    init?(
        _ settings: SyncGroupSettings, box: String, at addresses: [NumericAddress], leading: LeadingBox,
        loop: EventLoop, log: Log, changed: @escaping (Change) -> Void, told: @escaping (LeaderChanged) -> Void
    ) {
        guard let key = SharedKey(secret: settings.key), let url = leading.informationURL else { return nil }
        (self.loop, self.log, self.leading, self.changed, self.told) = (loop, log, leading, changed, told)
        group = SyncGroup(
            name: settings.name, box: box, isAppointed: settings.isAppointed, ciiURL: url, at: SystemClock.monotonic())
        leading.setOpen(false)
        let correspondence = GroupCorrespondence(key: key, random: SystemRandomNumberGenerator())
        link = GroupLink(correspondence, at: addresses, loop: loop) { [weak self] announcement in
            guard let self else { return }
            perform(group.received(announcement, at: SystemClock.monotonic()))
        }
    }

    func start() { perform(group.tick(at: SystemClock.monotonic())) }

    func stop() {
        if let timer { loop.cancel(timer) }
        timer = nil
        link?.stop()
        link = nil
    }

    var name: String { group.name }
    var role: SyncGroup.Role { group.role }
    var era: String? { group.era }
    var counters: GroupCounters? { link?.counters }
    var problem: String? { link?.problem }
    var namesakes: UInt64 { group.namesakes }
    var announcements: [GroupAnnouncement] { group.announcements }

    /// The leader, if that is another box and is heard.
    var leader: GroupAnnouncement? {
        guard case .following(let leader) = group.role else { return nil }
        return group.announcements.first { $0.box == leader }
    }

    /// What the session and the wall clock of the leader were found to be.
    func looked(isLocked: Bool, clock: WallClockRequesterCounters, at now: Monotonic) {
        guard case .following(let leader) = group.role else { return }
        if doubt.isBroken(by: clock, at: now) {
            doubt = ClockDoubt()
            log(.warning, "the leader's clock is broken", ["leader": leader])
            told(LeaderChanged(what: .refused, group: group.name, leader: leader, continues: false))
            perform(group.refuse(leader, at: now))
        } else if isLocked {
            perform(group.locked(at: now))
        }
    }

    private func perform(_ actions: [SyncGroup.Action]) {
        for action in actions {
            switch action {
            case .announce(let announcement): link?.announce(announcement)
            case .lead(let era):
                log(.notice, "the box leads", ["group": group.name, "era": era])
                become(.leads, target: nil)
                told(LeaderChanged(what: .leads, group: group.name, leader: group.box, continues: true))
            case .follow(let box, let url, let continues):
                log(
                    .notice, "the box follows",
                    ["group": group.name, "leader": box, "cii": url, "continues": continues])
                let target = CompanionSettings(.described(by: url, selectors: [.pts], stems: []))
                become(.follows(target, continues: continues), target: target)
                told(LeaderChanged(what: .follows, group: group.name, leader: box, continues: continues))
            case .wait:
                log(.notice, "nobody leads", ["group": group.name])
                become(.waits, target: nil)
                told(LeaderChanged(what: .waits, group: group.name, leader: nil, continues: true))
            }
        }
        schedule()
    }

    private func become(_ change: Change, target: CompanionSettings?) {
        self.target = target
        doubt = ClockDoubt()
        // The session leaves the leader before it, so that its own clock is the one that others share from then on.
        changed(change)
        let isLeading = if case .leads = change { true } else { false }
        leading.setOpen(isLeading)
    }

    private func schedule() {
        if let timer { loop.cancel(timer) }
        guard link != nil else { return }
        timer = loop.after(max(.zero, group.nextTick - SystemClock.monotonic())) { [weak self] in
            guard let self else { return }
            timer = nil
            perform(group.tick(at: SystemClock.monotonic()))
        }
    }
}
