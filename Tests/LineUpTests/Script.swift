// SPDX-License-Identifier: Apache-2.0
import Announcements
import LineUp
import Settings
import Time
import Venue

/// A line-up, what it hears and when.
struct Script {
    static let license = FieldOfUse(venueName: "Arena", contentOwner: "League", appDeveloper: "Apps")
    static let head = NumericAddress(v4: 0x0a00_0005)
    static let other = NumericAddress(v4: 0x0a00_0006)

    var lineUp: LineUp
    var now = Monotonic(nanoseconds: 1_000_000_000_000)

    init(settings: LineUpSettings = LineUpSettings(fieldOfUse: license), limits: LineUpLimits = LineUpLimits()) {
        lineUp = LineUp(settings: settings, limits: limits)
    }

    static func announcement(
        _ number: Int64 = 1, name: String = "Main", streamer: String = "head-end", port: UInt16 = 5004,
        license: FieldOfUse = license, interval: Nanoseconds = .seconds(5)
    ) -> Announcement {
        Announcement(
            streamer: Streamer.ID(streamer), streamerName: "Head-end", sessionNumber: number, license: license,
            name: name, transport: Transport(address: "239.1.1.1", port: port, encapsulation: .rtp(payloadType: 33)),
            interval: interval)
    }

    @discardableResult
    mutating func hear(
        _ announcement: Announcement, from sender: NumericAddress = head, deletes: Bool = false
    ) -> [LineUpChange] {
        hear(
            SAPPacket.encoded(
                deletes ? .deletion : .announcement, origin: sender, payloadType: .announcement,
                payload: announcement.encoded), from: sender)
    }

    @discardableResult
    mutating func hear(sdp: String, from sender: NumericAddress = head) -> [LineUpChange] {
        let payload = Array(sdp.utf8)
        return hear(SAPPacket.encoded(origin: sender, payloadType: .sessionDescription, payload: payload), from: sender)
    }

    @discardableResult
    mutating func hear(_ datagram: [UInt8], from sender: NumericAddress = head) -> [LineUpChange] {
        datagram.withUnsafeBytes { lineUp.handle(datagram: $0, from: sender, at: now) }
    }

    /// Seconds go by, with a tick in each.
    @discardableResult
    mutating func wait(seconds: Int) -> [LineUpChange] {
        var changes: [LineUpChange] = []
        for _ in 0..<seconds {
            now += .seconds(1)
            changes += lineUp.tick(now: now)
        }
        return changes
    }

    var names: [String] { lineUp.channels.map(\.name) }

    static func sdp(_ name: String = "Plain", id: String = "77", version: Int = 1, port: Int = 5004) -> String {
        "v=0\r\no=- \(id) \(version) IN IP4 10.0.0.5\r\ns=\(name)\r\nc=IN IP4 239.2.2.2/1\r\nt=0 0\r\n"
            + "m=video \(port) RTP/AVP 33\r\n"
    }
}

/// What a change says of a channel itself.
enum Told: Equatable {
    case added(Channel?)
    case changed(Channel?, was: Channel?)
    case removed(Channel?, LineUpChange.Removal)
}

extension [LineUpChange] {
    var told: [Told] {
        compactMap { change in
            switch change {
            case .channelAdded(let entry): .added(entry.channel)
            case .channelChanged(let entry, let was): .changed(entry.channel, was: was.channel)
            case .channelRemoved(let entry, let removal): .removed(entry.channel, removal)
            case .streamerAdded, .streamerChanged, .streamerRemoved: nil
            }
        }
    }
}

extension Script {
    /// - Parameters:
    ///   - lineUp: the group of that name, JSON.
    ///   - channels: names of channels of the settings, all at one address.
    static func settings(
        _ lineUp: String, channels: [String] = [], playlists: [String] = [], tags: [String] = []
    ) -> LineUpSettings {
        do {
            let written = channels.map { #"{"name":"\#($0)","address":"239.3.3.3","port":5004}"# }
            let lists = playlists.map { #"{"name":"\#($0)","items":[{"file":"/a.mp4"}]}"# }
            let text = """
                {"license":{"venueName":"Arena","contentOwner":"League","appDeveloper":"Apps"},
                "box":{"tags":[\(tags.map { "\"\($0)\"" }.joined(separator: ","))]},"lineUp":\(lineUp),
                "channels":[\(written.joined(separator: ","))],"playlists":[\(lists.joined(separator: ","))]}
                """
            return LineUpSettings(try Settings(parsing: Array(text.utf8)))
        } catch {
            preconditionFailure("a test's own settings are wrong: \(error)")
        }
    }
}

extension LineUp {
    /// The latest of all senders.
    var lastFault: LineUpFault? { faults.values.max { $0.time < $1.time } }
}
