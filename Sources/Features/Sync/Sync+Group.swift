// SPDX-License-Identifier: Apache-2.0
import Commands
import CompanionScreens
import Hosting
import Playback
import Synchronisation
import System
import Time
import Timelines
import Venue

/// The box in its group, and what the group's commands do and show.
extension Sync {
    /// How late a session that is locked may be: half a picture.
    private static let nearby = Nanoseconds.milliseconds(20)

    func join(_ settings: SyncGroupSettings, with leading: LeadingBox, at addresses: [NumericAddress]) {
        group = GroupMember(
            settings, box: box, at: addresses, leading: leading, loop: context.loop, log: log,
            changed: { [weak self] in self?.change($0) }, told: { [weak self] in self?.context.emit($0) })
        if group == nil { log(.error, "the box is not in its group", ["group": settings.name]) }
        group?.start()
    }

    private func change(_ change: GroupMember.Change) {
        switch change {
        case .leads:
            // What the session does from now on is what others follow.
            if let session {
                session.leave()
                tell(.stopped, of: session.id)
            }
            session = nil
            disconnect()
        case .follows(_, let continues):
            let isLed = link == nil && session == nil
            if continues, isLed { held = leading?.ownTimeline(at: regions.environment.now()) }
            connect(continues: continues)
        case .waits: connect(continues: true)
        }
    }

    /// In a group the leader has to present the channel that this box presents.
    var isContentOwn: Bool {
        guard group != nil, let content = link?.information?.contentID else { return true }
        return regions.main.player.current?.source.channel.map { LeadingBox.contentID(of: $0) } == content
    }

    func remember() {
        guard group != nil, isContentOwn, let timeline = link?.timeline, let clock = link?.wallClock.clock,
            let medium
        else { return }
        held = HeldTimeline(timeline: timeline, clock: clock, medium: medium, heard: regions.environment.now())
    }

    /// Whether the session presents by the clocks of the leader, as far as is known.
    var isLocked: Bool {
        guard link?.timeline != nil, isContentOwn, let session, session.state == .running else { return false }
        guard let error = session.accuracy.error else { return false }
        return error.count.magnitude <= Self.nearby.count.magnitude && session.accuracy.bound <= Self.nearby * 2
    }

    // MARK: Commands

    var groupReport: GroupReport {
        guard let group else {
            let (name, isUsed) = (settings.group.name, settings.group.isUsed)
            return GroupReport(
                name: isUsed ? name : nil, role: isUsed ? .waiting : .none, leader: nil, leaderURL: nil,
                isLocked: false,
                problem: isUsed ? "no channel is played here" : nil, boxes: [])
        }
        let role: GroupReport.Role =
            switch group.role {
            case .waiting: .waiting
            case .following: .following
            case .leading: .leading
            }
        return GroupReport(
            name: group.name, role: role, leader: role == .leading ? box : group.leader?.box,
            leaderURL: role == .leading ? leading?.url : group.leader?.ciiURL.description,
            isLocked: group.era != nil, problem: group.problem ?? namesake(group),
            boxes: group.announcements.map { GroupReport.Box($0, era: group.era) })
    }

    private func namesake(_ group: GroupMember) -> String? {
        group.namesakes > 0 ? "another box has the identity \(box)" : nil
    }

    /// Moves the timeline that this box leads.
    func move(_ request: MoveGroup.Request, _ reply: Reply<MovedGroup>) throws(Status) {
        guard settings.group.isUsed else {
            throw .failure(.failed, "the box is in no group: expected sync.group.name")
        }
        guard let group else {
            throw .failure(.failed, "nothing plays: expected a tuned channel")
        }
        guard group.role == .leading, let leading else {
            guard let leader = group.leader else {
                throw .failure(.failed, "nobody leads the group '\(group.name)' yet: try again in some seconds")
            }
            throw .failure(
                .failed,
                "the box follows \(leader.box) of the group '\(group.name)', whose CSS-CII is \(leader.ciiURL): "
                    + "give the command to that box")
        }
        guard regions.main.player.current != nil else {
            throw .failure(.failed, "nothing plays: expected a tuned channel")
        }
        switch request {
        case .control(let input):
            regions.control(input, in: regions.main)
            reply(.success(MovedGroup(followers: leading.followers, offsetMs: nil)))
        case .seek(let request):
            regions.seek(request, in: regions.main) { result in
                reply(
                    result.map { outcome in
                        MovedGroup(followers: leading.followers, offsetMs: outcome.distance?.milliseconds)
                    }.mapError { .failure(.failed, "the leader has not moved: \($0)") })
            }
        }
    }
}

extension SeekOutcome {
    /// From live; nil in a file.
    fileprivate var distance: Nanoseconds? {
        if case .behindLive(let span) = self { span } else { nil }
    }
}
