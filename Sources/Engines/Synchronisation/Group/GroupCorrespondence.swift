// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Signing
import Time

/// Writes announcements of a group as datagrams, and tells which datagrams are new and from holders of the key.
///
/// A recorded datagram is refused, even one that this box never received and one of a time before it started: a sender is
/// believed when it says that it hears this box's instance, and an instance that was believed only with a greater counter
/// than before. So an announcement counts one or two announcements after a box begins to hear another one.
///
/// What is not prevented: holders of the key are trusted in all that they say, and who is on the link can delay datagrams
/// by less than a box is taken to be away after, hide them, or pretend to be a newcomer, of which 256 are remembered.
///
/// A pure value.
public struct GroupCorrespondence: Sendable {
    public enum Reading: Hashable, Sendable {
        case announcement(GroupAnnouncement)
        /// From a holder of the key, who does not hear this box yet, or a recording.
        /// `isNew`: nothing was heard of it so far, and it should soon be told that it is heard.
        case unanswered(isNew: Bool)
        /// This box's own.
        case own
        case refused
    }

    /// Instances of which the counters are kept. Of more, this box takes another instance itself, so that all are believed
    /// anew, and recordings of none.
    static let mostBelieved = 512
    /// How long an instance is told to be heard.
    static let memory = SyncGroup.silence

    private let key: SharedKey
    private var random: any RandomNumberGenerator & Sendable
    private(set) var instance: UInt64
    private var counter: UInt64 = 0
    private var heard: [UInt64: Monotonic] = [:]
    /// The counter of the newest datagram of each instance that was believed.
    private var believed: [UInt64: UInt64] = [:]
    public private(set) var counters = GroupCounters()

    /// - Parameter random: unpredictable, outside of tests.
    public init(key: SharedKey, random: any RandomNumberGenerator & Sendable) {
        self.key = key
        var random = random
        instance = random.next()
        self.random = random
    }

    /// The next datagram.
    public mutating func write(_ announcement: GroupAnnouncement, at now: Monotonic) -> [UInt8] {
        counter += 1
        heard = heard.filter { now < $0.value + Self.memory }
        let octets = GroupDatagram(
            instance: instance, counter: counter, heard: heard.keys.sorted(), text: announcement.octets
        ).signedOctets
        counters.sent += 1
        return octets + key.tag(of: octets)
    }

    public mutating func read(_ bytes: UnsafeRawBufferPointer, at now: Monotonic) -> Reading {
        // What is wrong with it does not matter; it is counted.
        guard let datagram = try? GroupDatagram(bytes) else {
            counters.foreign += 1
            return .refused
        }
        guard key.isTag(GroupDatagram.tag(of: bytes), of: GroupDatagram.signed(bytes)) else {
            counters.forged += 1
            return .refused
        }
        guard datagram.instance != instance else { return .own }
        let isNew = hear(datagram.instance, at: now)
        guard datagram.heard.contains(instance) else {
            counters.unanswered += 1
            return .unanswered(isNew: isNew)
        }
        return believe(datagram)
    }

    /// - Returns: whether it was not heard before.
    private mutating func hear(_ other: UInt64, at now: Monotonic) -> Bool {
        if heard[other] == nil, heard.count >= GroupDatagram.mostHeard {
            heard = heard.filter { now < $0.value + Self.memory }
            guard heard.count < GroupDatagram.mostHeard else { return false }
        }
        return heard.updateValue(now, forKey: other) == nil
    }

    private mutating func believe(_ datagram: GroupDatagram) -> Reading {
        guard datagram.counter > believed[datagram.instance] ?? 0 else {
            counters.repeated += 1
            return .refused
        }
        if believed[datagram.instance] == nil, believed.count >= Self.mostBelieved {
            (instance, counter, believed) = (random.next(), 0, [:])
            counters.renewed += 1
            return .unanswered(isNew: false)
        }
        believed[datagram.instance] = datagram.counter
        guard let announcement = try? GroupAnnouncement(parsing: datagram.text) else {
            counters.malformed += 1
            return .refused
        }
        counters.received += 1
        return .announcement(announcement)
    }

    /// A datagram was longer than any that is read.
    public mutating func oversizedReceived() { counters.foreign += 1 }

    /// Datagrams came faster than they are read, and waited or were lost.
    public mutating func rested() { counters.rests += 1 }

    public mutating func sendingFailed() { counters.sendFailures += 1 }
}
