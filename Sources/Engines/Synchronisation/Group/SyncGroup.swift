// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Time

/// A box among others that present the same together: it elects with them who leads, whose wall clock and timeline all
/// follow.
///
/// The leader is the box that settings appoint. If none is appointed, or that one is away, whoever leads goes on; if
/// nobody leads, the box with the lowest name of those that are locked to the last leader's clocks does, or else of all.
/// A box that leads no more is followed by one that goes on with its clocks as they were, which have the same era, so
/// that nobody jumps. This is why an appointed box follows first when it comes late, and leads when it is locked.
///
/// Of several leaders, such as after the network was in two, the best stays by the same order, for all in the same way.
/// A leader whose clock at least half of the others find broken is refused by all.
///
/// A pure value. Instants that decrease count as the last one.
public struct SyncGroup: Sendable {
    public enum Action: Hashable, Sendable {
        case announce(GroupAnnouncement)
        /// Serve wall clock and timeline as they run here now. Those who were locked to this box's era go on unmoved.
        case lead(era: String)
        /// Follow this box's server.
        /// `continues`: its clocks are those to which the box is locked; else they are acquired anew.
        case follow(box: String, at: WebSocketURL, continues: Bool)
        /// Nobody leads: go on as it was.
        case wait
    }

    public enum Role: Hashable, Sendable {
        case waiting
        case following(String)
        case leading
    }

    /// Boxes that are remembered at once; of more, those that were heard first.
    public static let mostBoxes = 256
    public static let interval = Nanoseconds.milliseconds(500)
    /// A box that was not heard for so long is gone: six announcements.
    public static let silence = Nanoseconds.seconds(3)
    /// How long a box remembers that it found another one's clock broken.
    public static let refusal = Nanoseconds.seconds(60)

    private struct Peer {
        var announcement: GroupAnnouncement
        var heard: Monotonic
    }

    public let name: String
    /// Of this box.
    public let box: String
    public let isAppointed: Bool
    private let ciiURL: WebSocketURL
    public private(set) var role = Role.waiting
    /// The clocks that this box is locked to; nil if to none.
    public private(set) var era: String?
    /// Announcements that had this box's own name and came from another one.
    public private(set) var namesakes: UInt64 = 0
    private var peers: [String: Peer] = [:]
    private var refused: [String: Monotonic] = [:]
    /// What the box last followed.
    private var followedEra: String?
    private var now: Monotonic
    /// Nobody is taken to be away before then.
    private let listensUntil: Monotonic
    private var announces: Monotonic
    private var announced: GroupAnnouncement?

    public init(name: String, box: String, isAppointed: Bool, ciiURL: WebSocketURL, at now: Monotonic) {
        self.name = name
        self.box = box
        self.isAppointed = isAppointed
        self.ciiURL = ciiURL
        self.now = now
        listensUntil = now + Self.silence
        announces = now
    }

    /// What the other boxes that are there said last, by their names.
    public var announcements: [GroupAnnouncement] {
        peers.values.map(\.announcement).sorted { $0.box < $1.box }
    }

    public var nextTick: Monotonic {
        let ends = peers.values.map { $0.heard + Self.silence } + Array(refused.values)
        return ([announces] + ends + [listensUntil].filter { now < $0 }).min() ?? announces
    }

    // MARK: Inputs

    public mutating func received(_ announcement: GroupAnnouncement, at now: Monotonic) -> [Action] {
        self.now = max(self.now, now)
        guard announcement.group == name else { return [] }
        guard announcement.box != box else {
            namesakes += 1
            return []
        }
        guard peers[announcement.box] != nil || peers.count < Self.mostBoxes else { return [] }
        let before = peers.updateValue(Peer(announcement: announcement, heard: self.now), forKey: announcement.box)
        return before?.announcement == announcement ? [] : elect()
    }

    /// The session presents by the clocks of the leader that is followed.
    public mutating func locked(at now: Monotonic) -> [Action] {
        self.now = max(self.now, now)
        guard case .following(let leader) = role, let era = peers[leader]?.announcement.era else { return [] }
        self.era = era
        return elect()
    }

    /// The clock of a box is broken: it steps about, or says what cannot be.
    public mutating func refuse(_ box: String, at now: Monotonic) -> [Action] {
        self.now = max(self.now, now)
        guard box != self.box, refused[box] != nil || refused.count < GroupAnnouncement.mostRefused else { return [] }
        refused[box] = self.now + Self.refusal
        return elect()
    }

    public mutating func tick(at now: Monotonic) -> [Action] {
        self.now = max(self.now, now)
        return elect()
    }

    // MARK: Election

    /// The order of those who may lead; it is the same for all.
    private static func isBetter(_ one: GroupAnnouncement, _ other: GroupAnnouncement) -> Bool {
        one.isAppointed == other.isAppointed ? one.box < other.box : one.isAppointed
    }

    private var own: GroupAnnouncement {
        GroupAnnouncement(
            group: name, box: box, isAppointed: isAppointed, leads: role == .leading, era: era, ciiURL: ciiURL,
            refused: refused.keys.sorted())
    }

    /// Found broken by at least half of the others.
    private static func isRefused(_ candidate: GroupAnnouncement, among live: [GroupAnnouncement]) -> Bool {
        let judges = live.filter { $0.box != candidate.box }
        let against = judges.filter { $0.refused.contains(candidate.box) }.count
        return against > 0 && 2 * against >= judges.count
    }

    /// The era to which most are locked.
    private static func era(of boxes: [GroupAnnouncement]) -> String? {
        let eras = Dictionary(grouping: boxes.compactMap(\.era)) { $0 }
        return eras.min { one, other in
            one.value.count == other.value.count ? one.key < other.key : one.value.count > other.value.count
        }?.key
    }

    private mutating func elect() -> [Action] {
        peers = peers.filter { now < $0.value.heard + Self.silence }
        refused = refused.filter { now < $0.value }
        let live = peers.values.map(\.announcement) + [own]
        let eligible = live.filter { !Self.isRefused($0, among: live) }
        var actions: [Action] = []
        if let leader = leader(among: eligible) {
            actions += leader.box == box ? lead() : follow(leader)
        } else if role != .waiting {
            role = .waiting
            actions.append(.wait)
        }
        let announcement = own
        if announcement != announced || announces <= now {
            announced = announcement
            announces = now + Self.interval
            actions.append(.announce(announcement))
        }
        return actions
    }

    /// - Returns: nil while it is not decided.
    private func leader(among eligible: [GroupAnnouncement]) -> GroupAnnouncement? {
        let leaders = eligible.filter(\.leads)
        if let leader = leaders.filter({ refused[$0.box] == nil }).min(by: Self.isBetter) {
            // An appointed box takes over once it is locked. Until it says that it leads, the others stay.
            let mayTakeOver = isAppointed && !leader.isAppointed && era != nil && era == leader.era
            return mayTakeOver ? eligible.first { $0.box == box } ?? leader : leader
        }
        // A leader that this box alone refuses leads the others: a second one would divide them.
        guard leaders.isEmpty, now >= listensUntil else { return nil }
        let era = Self.era(of: eligible)
        let best = eligible.filter { $0.era == era }.min(by: Self.isBetter)
        // The others are followed when they say that they lead.
        return best?.box == box ? best : nil
    }

    private mutating func lead() -> [Action] {
        guard role != .leading else { return [] }
        role = .leading
        let era = era ?? "\(box):\(now.nanoseconds)"
        (self.era, followedEra) = (era, era)
        return [.lead(era: era)]
    }

    private mutating func follow(_ leader: GroupAnnouncement) -> [Action] {
        let continues = leader.era != nil && leader.era == era
        guard role != .following(leader.box) || leader.era != followedEra else { return [] }
        role = .following(leader.box)
        followedEra = leader.era
        if !continues { era = nil }
        return [.follow(box: leader.box, at: leader.ciiURL, continues: continues)]
    }
}
