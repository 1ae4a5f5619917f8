// SPDX-License-Identifier: Apache-2.0
import JSON
import LineUp
import Shapes
import Venue

/// An entry of the line-up as the command `channels` and the events of the line-up show it (SVM-37…41). Members that
/// only a channel has are absent for a playlist.
struct ChannelRow: Answer {
    let entry: ListedChannel
    /// What is on; nil where the row does not show it, and nil within if it is not known.
    var now: BroadcastAnswer??
    /// Addresses of the head-ends; nil where the row does not show them.
    var announcers: [String]?

    init(_ entry: ListedChannel) { self.entry = entry }

    private var address: String? { entry.channel?.transport.address }
    private var port: UInt16? { entry.channel?.transport.port }
    private var bandwidth: Int { entry.channel?.bandwidthKbps ?? 0 }
    private var channelText: String { entry.channel?.channelText ?? "" }
    private var streamer: String? { entry.channel?.streamer?.text }

    static let shape = Shape<Self>(ofEntry + ofTransport + ofSession)

    private static let ofEntry: [Field<Self>] = [
        .value("number", \.entry.number, .integer, "logical number"),
        .value("name", \.entry.name, .text, "key of every command that takes a channel"),
        .value("kind", \.entry.kind, .choice, "video, data or file"),
        .value("address", \.address, .optional(.text), "multicast group"),
        .value("port", \.port, .optional(.count), "UDP port"),
        .value("bandwidthKbps", \.bandwidth, .integer, "nominal, kbit/s; 0: not known"),
        .value("channelText", \.channelText, .text, "description"),
        .detail("id", \.entry.id.text, .text, "stable while the session is announced"),
        .detail("origin", \.entry.origin, .choice, "settings, announcement or playlist"),
        .detail("groups", \.entry.groups, .list(of: .text), "of lineUp.channels"),
        .detail("isFavourite", \.entry.isFavourite, .boolean, "of lineUp.channels"),
        .detail("isHidden", \.entry.isHidden, .boolean, "by lineUp.channels, or in no view of the box"),
        .computed(
            "now", .optional(.row), shownAs: FieldDisplay(isDetail: true), "what is on, as in epg; null: not known"
        ) { $0.now },
    ]

    private static let ofTransport: [Field<Self>] = [
        .ofChannel("source", .optional(.text), "the one sender heard, or null") { $0.transport.source },
        .ofChannel("encapsulation", .choice(["auto", "rtp", "raw", "elementary"]), "auto, rtp, raw or elementary") {
            $0.transport.encapsulation.name
        },
        .ofChannel(
            "payloadType", .optional(.count), "of RTP (the first medium's of elementary), or null"
        ) { $0.transport.encapsulation.payloadType },
        .ofChannel("playoutDelayMs", .optional(.integer), "announced, or null") { $0.playoutDelay?.milliseconds },
        .ofChannel("repair", .anything, "how lost packets are made again, or null; isFound: not announced") {
            $0.transport.repair?.json ?? .null
        },
        .ofChannel("secondPath", .anything, "the same packets once more, or null") {
            $0.transport.secondPath?.json ?? .null
        },
        .ofChannel("furtherSources", .list(of: .text), "heard when the source falls silent") {
            $0.transport.furtherSources
        },
        .ofChannel("contentType", .optional(.text), "of a data channel's messages, or null") { $0.contentType },
    ]

    private static let ofSession: [Field<Self>] = [
        .ofChannel("sessionNum", .integer, "session number of the streamer") { $0.sessionNumber },
        .ofChannel("sessionTitle", .text, "title of the session") { $0.sessionTitle },
        .detail("streamer", \.streamer, .optional(.text), "id of the streamer, or null"),
        .computed(
            "announcedBy", .list(of: .text), shownAs: FieldDisplay(isDetail: true),
            "addresses of the head-ends that announce it; absent in events"
        ) { $0.announcers },
        .ofChannel("venueName", .optional(.text), "licence of the channel, or null") { $0.fieldOfUse?.venueName },
        .ofChannel("contentOwner", .optional(.text), "licence of the channel, or null") {
            $0.fieldOfUse?.contentOwner
        },
        .ofChannel("appDeveloper", .optional(.text), "licence of the channel, or null") {
            $0.fieldOfUse?.appDeveloper
        },
    ]
}

extension Field where Root == ChannelRow {
    /// A member that a playlist does not have.
    fileprivate static func ofChannel<Value>(
        _ name: String, _ codec: Codec<Value>, _ help: String, _ read: @escaping @Sendable (Channel) -> Value
    ) -> Field {
        computed(name, codec, shownAs: FieldDisplay(isDetail: true), help) { $0.entry.channel.map(read) }
    }
}

extension Transport.Encapsulation {
    fileprivate var name: String {
        switch self {
        case .raw: "raw"
        case .automatic: "auto"
        case .rtp: "rtp"
        case .elementary: "elementary"
        }
    }

    /// The payload type of the first medium; nil without RTP.
    fileprivate var payloadType: Int? {
        switch self {
        case .raw, .automatic: nil
        case .rtp(let payloadType): Int(payloadType)
        case .elementary(let media): media.first.map { Int($0.payloadType) }
        }
    }
}
