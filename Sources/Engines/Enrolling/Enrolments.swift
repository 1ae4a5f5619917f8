// SPDX-License-Identifier: Apache-2.0
import Reports
import Signing
import Time

/// Which boxes a reporter knows, by which keys and credentials, and which ask to be known. Time and chance are arguments,
/// and nothing is written here: `takeTouched` says what has to be on the disk before anything is answered.
public struct Enrolments: Sendable {
    public static let mostBoxes = 100_000
    /// Whoever reaches the reporter can fill the list of those that wait.
    public static let mostPending = 1_000
    public static let mostTokens = 256
    /// One that has not asked for so long is forgotten.
    static let pendingSpan = Nanoseconds.seconds(7 * 86_400)
    /// One that has not asked for so long, which a box does at least each 15 minutes, makes room for another one.
    static let silentSpan = Nanoseconds.seconds(3_600)
    /// When one asked last is kept this exactly.
    private static let askedStep = Nanoseconds.seconds(900)
    /// When a sign of a clone was seen last is kept this exactly.
    private static let sightingStep = Nanoseconds.seconds(3_600)
    /// How long a token is shown after its end.
    private static let tokenSpan = Nanoseconds.seconds(7 * 86_400)

    /// Ids of records that have changed, or are gone.
    public struct Touched: Equatable, Sendable {
        public internal(set) var boxes: Set<String> = []
        public internal(set) var pending: Set<String> = []
        /// Names.
        public internal(set) var tokens: Set<String> = []
        /// Boxes.
        public internal(set) var clones: Set<String> = []

        public init() {}

        public var isEmpty: Bool { self == Touched() }
    }

    public internal(set) var boxes: [String: EnrolledBox] = [:]
    /// By `PendingBox.id`.
    public internal(set) var pending: [String: PendingBox] = [:]
    public internal(set) var tokens: [String: EnrolmentToken] = [:]
    public internal(set) var clones: [String: CloneSightings] = [:]
    var touched = Touched()
    /// Clones that were seen for the first time, to be told.
    var newClones: [(box: String, sighting: CloneSighting)] = []
    /// Boxes by the digests of their credentials, and by their keys.
    private var owners: [[UInt8]: String] = [:]
    private var keys: [String: String] = [:]

    public init() {}

    /// What a store has.
    public init(
        boxes: [EnrolledBox], pending: [PendingBox], tokens: [EnrolmentToken], clones: [String: CloneSightings]
    ) {
        for box in boxes { set(box) }
        for each in pending { self.pending[each.id] = each }
        for token in tokens { self.tokens[token.name] = token }
        self.clones = clones
        touched = Touched()
    }

    /// What has changed since the last call.
    public mutating func takeTouched() -> Touched {
        defer { touched = Touched() }
        return touched
    }

    public mutating func takeNewClones() -> [(box: String, sighting: CloneSighting)] {
        defer { newClones = [] }
        return newClones
    }

    mutating func forget(box id: String) {
        guard let before = boxes.removeValue(forKey: id) else { return }
        for digest in before.digests { owners[digest.octets] = nil }
        if keys[before.publicKey] == id { keys[before.publicKey] = nil }
    }

    /// The box that has a key.
    func box(ofKey publicKey: String) -> String? { keys[publicKey] }

    /// Replaces the record of a box. What it had before and has no more is known no longer.
    mutating func set(_ box: EnrolledBox) {
        if let before = boxes[box.box] {
            for digest in before.digests { owners[digest.octets] = nil }
            if keys[before.publicKey] == box.box { keys[before.publicKey] = nil }
        }
        boxes[box.box] = box
        for digest in box.digests { owners[digest.octets] = box.box }
        if !box.publicKey.isEmpty { keys[box.publicKey] = box.box }
        touched.boxes.insert(box.box)
    }

    // MARK: Credentials

    public enum Standing: Equatable, Sendable {
        case unknown
        /// The credential is that of this box.
        case other(String)
        case revoked(why: String)
        case enrolled
        /// By a credential that the box has not used before.
        case enrolledAnew
    }

    /// How it stands with who shows a text as the credential of a box.
    public func standing(of text: String, as box: String) -> Standing {
        guard let digest = SecretText.digest(text), let owner = owners[digest.octets], let kept = boxes[owner] else {
            return .unknown
        }
        if kept.state == .revoked { return .revoked(why: kept.why ?? "") }
        guard owner == box else { return .other(owner) }
        return kept.next == digest ? .enrolledAnew : .enrolled
    }

    /// The same, once the box has shown it: with a new credential the one before is none any more.
    public mutating func use(_ text: String, as box: String) -> Standing {
        let standing = standing(of: text, as: box)
        guard standing == .enrolledAnew, var kept = boxes[box] else { return standing }
        (kept.credential, kept.next) = (kept.next, nil)
        set(kept)
        return .enrolled
    }

    /// Why nothing is taken of a box, however it shows who it is; nil if that is not so.
    public func revocation(of box: String) -> String? {
        guard let kept = boxes[box], kept.state == .revoked else { return nil }
        return kept.why ?? ""
    }

    // MARK: Clones

    /// Whether a sign was noted a short time ago.
    public func isNoted(_ kind: CloneSighting.Kind, _ other: String, of box: String, at now: WallTime) -> Bool {
        clones[box]?.sightings.contains { each in
            each.kind == kind && each.other == other
                && now.nanoseconds - each.last.nanoseconds < Self.sightingStep.count
        } ?? false
    }

    public mutating func noteClone(of box: String, _ kind: CloneSighting.Kind, _ other: String, at now: WallTime) {
        guard clones[box] != nil || clones.count < Self.mostBoxes else { return }
        var all = clones[box]?.sightings ?? []
        if let index = all.firstIndex(where: { $0.kind == kind && $0.other == other }) {
            guard now.nanoseconds - all[index].last.nanoseconds >= Self.sightingStep.count else { return }
            all[index].last = now
        } else {
            var sighting = CloneSighting()
            (sighting.kind, sighting.other, sighting.first, sighting.last) = (kind, other, now, now)
            all.append(sighting)
            if all.count > CloneSightings.most { all.removeFirst() }
            newClones.append((box, sighting))
        }
        clones[box, default: CloneSightings()].sightings = all
        touched.clones.insert(box)
    }

    /// Somebody has looked into it.
    public mutating func forgetClones(of box: String) {
        guard clones.removeValue(forKey: box) != nil else { return }
        touched.clones.insert(box)
    }

    // MARK: Time

    public mutating func tick(at now: WallTime) {
        for (id, each) in pending where now.nanoseconds - each.asked.nanoseconds > Self.pendingSpan.count {
            pending[id] = nil
            touched.pending.insert(id)
        }
        for (name, token) in tokens where now.nanoseconds - token.expires.nanoseconds > Self.tokenSpan.count {
            tokens[name] = nil
            touched.tokens.insert(name)
        }
    }

    /// Puts a key in the list of those that wait.
    /// - Returns: nil if the list is full.
    mutating func wait(_ request: EnrolmentRequest, _ why: String, at now: WallTime) -> PendingBox? {
        let id = PendingBox.id(box: request.box, publicKey: request.publicKey)
        guard var each = pending[id] else {
            guard pending.count < Self.mostPending || makeRoom(at: now) else { return nil }
            var new = PendingBox()
            (new.box, new.publicKey, new.why) = (request.box, request.publicKey, why)
            (new.name, new.version, new.first, new.asked) = (request.name, request.version, now, now)
            pending[id] = new
            touched.pending.insert(id)
            return new
        }
        let isLong = now.nanoseconds - each.asked.nanoseconds >= Self.askedStep.count
        guard isLong || each.why != why || each.name != request.name || each.version != request.version else {
            return each
        }
        (each.name, each.version, each.asked, each.why) = (request.name, request.version, now, why)
        pending[id] = each
        touched.pending.insert(id)
        return each
    }

    /// Forgets the one that has been silent for longest, if it is for long: a flood of keys ends with whoever sends them.
    private mutating func makeRoom(at now: WallTime) -> Bool {
        guard let oldest = pending.values.min(by: { $0.asked.nanoseconds < $1.asked.nanoseconds }),
            now.nanoseconds - oldest.asked.nanoseconds > Self.silentSpan.count
        else { return false }
        forgetPending(oldest.id)
        return true
    }

    mutating func forgetPending(_ id: String) {
        if pending.removeValue(forKey: id) != nil { touched.pending.insert(id) }
    }
}
