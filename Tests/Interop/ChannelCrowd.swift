// SPDX-License-Identifier: Apache-2.0
import JSON

/// A head-end that announces 200 channels, all of one group.
struct ChannelCrowd {
    static let count = 200

    private let maker: AnnouncementMaker
    private let sender: DatagramSender

    /// - Parameters:
    ///   - heard: where the announcements go.
    ///   - media: what they announce.
    init(_ heard: Group, of media: Group) throws {
        maker = AnnouncementMaker(group: media)
        sender = try DatagramSender(to: heard)
    }

    static func name(_ number: Int) -> String { "Channel \(number)" }

    private func announce(_ number: Int, _ text: String = "") throws {
        // A hash of its own for each: two of 200 computed ones may be equal.
        try sender.send(
            maker.channel(Self.name(number), number: number, text: text, hash: UInt16(clamping: number)))
    }

    /// Announces what is not listed yet until all is.
    func announceAll(to box: BoxProcess) async throws {
        let areListed = try await eventually(within: .seconds(30)) {
            let listed = Set(try await box.channelNames)
            for number in 1...Self.count where !listed.contains(Self.name(number)) { try announce(number) }
            return listed.count == Self.count
        }
        guard areListed else { throw VenueError("listed: \(try await box.channelNames)") }
    }

    /// Changes the text of one of the first four channels every 50 ms, until its task is cancelled.
    static func change(_ heard: Group, of media: Group) async throws {
        let crowd = try ChannelCrowd(heard, of: media)
        var changes = 0
        while true {
            changes += 1
            try crowd.announce(changes % 4 + 1, "version \(changes)")
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
