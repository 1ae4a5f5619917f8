// SPDX-License-Identifier: Apache-2.0
import JSON
import Programming
import Shapes
import Venue

extension Settings {
    /// The fields of the configuration document, version 1.
    public static let fields: [FieldDescription] = [
        FieldDescription("version", .integer(1...1), .defaulted(1), "Version of the document's form."),
        .group(
            "box", "The box itself.",
            [
                FieldDescription(
                    "name", .text(0...64), .defaulted(""), "Name of the box for people; \"\" uses its id."),
                FieldDescription(
                    "tags", .list(of: .text(1...64), 0...64), .defaulted([]),
                    "Tags of the box, such as bar; they choose its view among lineUp.views."),
            ]
        ).changing(.atOnce),
        .group(
            "license", "Field of use. A channel is accessible if all three fields equal its own, with case.",
            [
                FieldDescription("venueName", .text(0...256), .defaulted(""), "Venue."),
                FieldDescription("contentOwner", .text(0...256), .defaulted(""), "Owner of the content."),
                FieldDescription("appDeveloper", .text(0...256), .defaulted(""), "Developer of the application."),
            ]
        ).changing(.interruptsPicture),
        .group(
            "network", "Where the box receives.",
            [
                FieldDescription(
                    "interface", .formatted(.interface), .defaulted(""),
                    "Interface of all joins; \"\": the route's choice, and without one the only one there is."
                ).changing(.interruptsPicture),
                FieldDescription(
                    "wifiApInfo", .list(of: .record(accessPointFields), 0...4096), .defaulted([]),
                    "Names of access points, for reports."
                ).changing(.atOnce),
                FieldDescription(
                    "rejoinAfterMs", .integer(500...60_000), .defaulted(2_000),
                    "Silence of a played channel's group after which it is joined again. Each join in vain doubles it."
                ).changing(.interruptsPicture),
                FieldDescription(
                    "rejoinLimitMs", .integer(1_000...600_000), .defaulted(60_000),
                    "The longest wait between two such joins."
                ).changing(.interruptsPicture),
                FieldDescription(
                    "sourceFailoverMs", .integer(100...60_000), .defaulted(500),
                    "Silence of a channel's source after which the next of its sources is joined."
                ).changing(.interruptsPicture),
                FieldDescription(
                    "findParity", .boolean, .defaulted(true),
                    "Whether SMPTE ST 2022-1 parity that nobody announced is looked for at a channel's port + 2 and + 4."
                ).changing(.interruptsPicture), Settings.NetworkDebug.field,
            ]),
        .group(
            "announcements", "How the box finds channels.",
            [
                FieldDescription(
                    "groups", .list(of: .record(groupFields), 0...16),
                    .defaulted([
                        ["address": "224.2.127.254", "port": 9875], ["address": "239.255.255.255", "port": 9875],
                        ["address": "239.195.255.255", "port": 9875], ["address": "224.0.0.255", "port": 9875],
                        ["address": "ff02::2:7ffe", "port": 9875], ["address": "ff05::2:7ffe", "port": 9875],
                        ["address": "ff08::2:7ffe", "port": 9875], ["address": "ff0e::2:7ffe", "port": 9875],
                    ]), "Multicast groups on which SAP announcements are received, IPv4 or IPv6; [] receives none."),
                FieldDescription(
                    "allow", .list(of: .formatted(.address), 0...256), .defaulted([]),
                    "Source addresses from which announcements are accepted; [] accepts all that are not denied."),
                FieldDescription(
                    "deny", .list(of: .formatted(.address), 0...256), .defaulted([]),
                    "Source addresses from which announcements are ignored, even if they are allowed."),
                FieldDescription(
                    "unlicensed", .choice(["list", "refuse"]), .defaulted("list"),
                    "What to do with announcements without a licence, plain SAP with SDP: list or refuse them."
                ),
                FieldDescription(
                    "missedIntervals", .integer(1...100), .defaulted(3),
                    "Number of missed announcements after which a channel is removed."),
                FieldDescription(
                    "pruneMinimumMs", .integer(1_000...3_600_000), .defaulted(15_000),
                    "Least silence after which a channel is removed."),
            ]
        ).changing(.interruptsPicture),
        FieldDescription(
            "channels", .list(of: .record(channelFields), 0...1_000), .defaulted([]),
            "Channels that need no announcement."
        ).changing(.interruptsPicture),
        .group("lineUp", "How the channels are shown, whether announced, in channels or in playlists.", lineUpFields)
            .changing(.atOnce),
        .group(
            "playback", "How channels are played.",
            [
                FieldDescription(
                    "playoutDelayMs", .integer(0...10_000), .defaulted(200),
                    "Delay from arrival to presentation, for channels that have none of their own."
                ).changing(.interruptsPicture),
                FieldDescription(
                    "historyMs", .integer(1_000...600_000), .defaulted(30_000), "How far back a channel is kept."
                ).changing(.interruptsPicture),
                FieldDescription(
                    "historyLimitMB", .integer(1...4_096), .defaulted(64), "Memory for the history of one channel."
                ).changing(.interruptsPicture),
                FieldDescription(
                    "historiesLimitMB", .integer(8...65_536), .optional,
                    """
                    Memory for the histories of all channels together; absent: a third of what the service may use. \
                    Channels that are not played give theirs first, then histories are shorter, then no further \
                    channel is opened.
                    """
                ).changing(.atOnce),
                FieldDescription(
                    "autoTune", .text(0...128), .defaulted(""), "Name of the channel tuned at start; \"\": none."),
                FieldDescription(
                    "startPolicy", .choice(Playback.StartPolicy.allCases.map(\.rawValue)), .defaulted("hold"),
                    "How a channel comes to its play-out delay: hold keeps its first picture; stretch plays slower."
                ).changing(.interruptsPicture),
                FieldDescription(
                    "fallback", .choice(Playback.Fallback.allCases.map(\.rawValue)), .defaulted("slate"),
                    "What is shown when a channel is withdrawn or a playlist is over."
                ).changing(.atOnce),
                FieldDescription(
                    "defaultChannel", .text(0...128), .defaulted(""), "The channel of fallback defaultChannel."
                ).changing(.atOnce),
                FieldDescription(
                    "fallbackPlaylist", .text(0...64), .defaulted(""), "The playlist of fallback playlist."
                ).changing(.atOnce),
                FieldDescription(
                    "autoAdvance", .boolean, .defaulted(false), "Whether the next item of a playlist follows by itself."
                ).changing(.atOnce),
                FieldDescription(
                    "autoPlay", .boolean, .defaulted(false), "Whether a playlist plays without the command play."
                ).changing(.atOnce),
                FieldDescription(
                    "damage", .choice(Playback.Damage.allCases.map(\.rawValue)), .defaulted("show"),
                    "show presents damaged pictures; hold keeps the last good picture until pictures are whole again."
                ).changing(.interruptsPicture),
                FieldDescription(
                    "decoding", .choice(Playback.Decoding.allCases.map(\.rawValue)), .defaulted("auto"),
                    """
                    What decodes pictures. auto: a decoder of the machine where one takes the stream, else the processor; \
                    hardware: nothing else, what none takes is not shown; software: the processor.
                    """
                ).changing(.interruptsPicture),
                FieldDescription(
                    "sessionLimit", .integer(1...16), .defaulted(4), "Most channels and files that play at once."
                ).changing(.atOnce),
                FieldDescription(
                    "audioLanguage", .text(0...8), .defaulted(""),
                    "ISO 639-2 code of the sound that is played where there is a choice; \"\": the first."
                ).changing(.interruptsSound),
                FieldDescription(
                    "sourcePolicy", .choice(Playback.SourcePolicy.allCases.map(\.rawValue)), .defaulted("reference"),
                    """
                    Which source of a playlist's item is played, of those that the box can play. reference: the first \
                    HLS, else the first MP4; first: the first of any delivery; ordered: as playback.sourceOrder says. \
                    An item without one is passed by.
                    """
                ).changing(.atOnce),
                FieldDescription(
                    "sourceOrder", .list(of: delivery, 1...Source.Delivery.allCases.count),
                    .defaulted(.array(Source.Delivery.allCases.map { .string($0.rawValue) })),
                    "Deliveries that sourcePolicy ordered plays, the preferred one first."
                ).changing(.atOnce),
                FieldDescription(
                    "bandwidthLimitKbps", .integer(0...10_000_000), .defaulted(0),
                    """
                    Most kbit/s of the channels that play at once, by their nominal bit rates; 0: no limit. What would \
                    exceed it is refused. A channel in several regions counts once, one of unknown bit rate not at all.
                    """
                ).changing(.atOnce),
            ]
        ).changing(.atOnce),
        .group("reception", "How channels are received.", receptionFields).changing(.interruptsPicture),
        FieldDescription(
            "playlists", .list(of: .record(playlistFields), 0...100), .defaulted([]),
            "Channels and files that are played one after the other."
        ).changing(.atOnce),
        FieldDescription(
            "layouts", .list(of: .record(layoutFields), 0...64), .defaulted([]),
            "What may be where on the stage, beside the built-in full, pip, quad and gallery."
        ).changing(.interruptsPicture),
        FieldDescription(
            "strategies", .list(of: .record(strategyFields), 0...64), .defaulted([]),
            "What commands put over or beside the layout, such as advertisements and emergencies."
        ).changing(.interruptsPicture),
        .group(
            "output", "Where pictures go.",
            [
                FieldDescription(
                    "kind", .choice(Output.Kind.allCases.map(\.rawValue)), .defaulted("headless"),
                    """
                    headless: composed in memory; headlessGles: likewise, by OpenGL ES; kms: on the first connected \
                    screen; null: decoded and dropped.
                    """),
                FieldDescription(
                    "width", .integer(64...7_680), .defaulted(1_280),
                    "Pixels of the stage; for kms those of a mode of the screen, or it is shown cut or framed."),
                FieldDescription("height", .integer(64...4_320), .defaulted(720), "Pixels of the stage."),
                FieldDescription(
                    "rotation", .integer(0...270), .defaulted(0),
                    """
                    Degrees clockwise by which the stage is rotated on the screen: 0, 90, 180 or 270. With 90 and 270 the \
                    stage is as wide as height, and as high as width. A stage that is rotated is composed as a whole.
                    """),
                FieldDescription(
                    "overscanPercent", .integer(0...10), .defaulted(0),
                    """
                    Percent of width, on the left and on the right, and of height, above and below, that stay black \
                    because the screen does not show its edges; the stage is smaller by as much.
                    """),
                FieldDescription(
                    "mode", .formatted(.displayMode), .defaulted(""),
                    """
                    The screen's mode for kms: 1920x1080@50, 1920x1080, @50, or preferred, the screen's own; \"\": one of \
                    the stage's size, at the content's rate or a multiple, and no larger than 1920x1080 unless the stage is.
                    """),
                FieldDescription(
                    "connector", .formatted(.connector), .defaulted(""),
                    "Connector of the screen for kms, such as HDMI-A-1; \"\" takes the first connector with a screen."),
                FieldDescription(
                    "drawing", .choice(Output.Drawing.allCases.map(\.rawValue)), .defaulted("auto"),
                    """
                    Who draws for kms. auto: the card's GPU if it has one, else the processor; gles: OpenGL ES, even if \
                    the processor has to do it; processor.
                    """),
                FieldDescription(
                    "planes", .choice(["auto", "off"]), .defaulted("auto"),
                    """
                    Of the screen's card for kms: auto: a video is shown by one of its own under all else, where the card \
                    takes it so; off: everything is composed.
                    """),
                FieldDescription(
                    "mirror", .boolean, .defaulted(false),
                    """
                    For kms: every connected screen of the card shows the stage, each in a mode of its own; connector is \
                    then the one that paces. The processor draws, and videos have no planes.
                    """),
                FieldDescription(
                    "standby", .choice(Output.Standby.allCases.map(\.rawValue)), .defaulted("play"),
                    """
                    While no screen shows the stage, because the television is off: play: all goes on; suspend: nothing \
                    is decoded, but channels stay joined, so that the picture is back soon after the television.
                    """),
                FieldDescription(
                    "layout", .text(1...32), .defaulted("full"),
                    "The layout at the start: full, pip, quad or one of layouts."
                ).changing(.interruptsPicture),
                FieldDescription(
                    "strategies", .list(of: .text(1...32), 0...64), .defaulted([]),
                    "Names of the strategies that are on at the start."
                ).changing(.interruptsPicture),
                FieldDescription(
                    "transitionMs", .integer(0...5_000), .defaulted(250),
                    "Duration of the cross-fade from one layout to the next; 0 cuts."
                ).changing(.atOnce),
            ]
        ).changing(.interruptsPicture),
        .group("screenText", "What is written over the pictures.", screenTextFields).changing(.atOnce),
        .group(
            "sound", "Where sound goes.",
            [
                FieldDescription(
                    "kind", .choice(["null", "wav", "alsa"]), .defaulted("null"),
                    "null discards the sound in time, wav writes a file, alsa plays on a device."
                ).changing(.interruptsSound),
                FieldDescription(
                    "wavPath", .formatted(.waveFile), .defaulted(""),
                    "The file of kind wav, overwritten when it is opened."
                ).changing(.interruptsSound).locally(),
                FieldDescription(
                    "device", .text(1...128), .defaulted("auto"),
                    """
                    The PCM of kind alsa, as aplay -L names it. auto: the first HDMI or DisplayPort output with a \
                    screen that is on, else the first analogue one, else default; what is plugged in later as well.
                    """
                ).changing(.interruptsSound).locally(),
                FieldDescription(
                    "unmute", .boolean, .defaulted(true),
                    "Whether to switch the card's playback controls on, to 0 dB, when it is opened. Cards start muted."
                ).changing(.interruptsSound),
                FieldDescription("volume", .integer(0...100), .defaulted(100), "Volume in percent.").changing(.atOnce),
                FieldDescription("muted", .boolean, .defaulted(false), "Whether the sound is muted.").changing(.atOnce),
            ]),
        .group("data", "What is done with data channels.", dataFields).changing(.atOnce),
        .group("health", "When the service is down, and when it is up again.", healthFields).changing(.atOnce),
        .group(
            "log", "What the box logs.",
            [
                FieldDescription(
                    "level", level, .defaulted("info"), "Level of subsystems that have no level of their own."),
                FieldDescription("subsystems", .map(of: level), .defaulted([:]), "Level by subsystem."),
            ]
        ).changing(.atOnce),
        .group(
            "control", "How the box is controlled.",
            [
                FieldDescription(
                    "socket", .formatted(.path), .defaulted("/run/touchline/control.sock"),
                    "Path of the Unix socket for the client; \"\" uses the default of the program.")
            ]
        ).changing(.needsRestart).locally(),
    ]

    private static let delivery = ValueKind.choice(Source.Delivery.allCases.map(\.rawValue))

    private static let level = ValueKind.choice(LogLevel.allCases.map(\.rawValue))

    private static let accessPointFields = [
        FieldDescription("name", .text(1...64), .required, "What people call the access point."),
        FieldDescription("bssid", .formatted(.bssid), .required, "Its BSSID; case and the separator do not matter."),
    ]

    private static let groupFields = [
        FieldDescription("address", .formatted(.address), .required, "Multicast group."),
        FieldDescription("port", .integer(1...65_535), .defaulted(9_875), "UDP port."),
    ]

    private static let channelFields = flowFields + besideFields

    private static let flowFields = [
        FieldDescription("name", .text(1...128), .required, "The channel's name, which commands take."),
        FieldDescription("number", .integer(1...9_999), .optional, "Logical number; absent: given by the line-up."),
        FieldDescription(
            "kind", .choice(Channel.Kind.allCases.map(\.rawValue)), .defaulted("video"), "What it carries."),
        FieldDescription("address", .formatted(.address), .required, "Multicast group, or an address of the box."),
        FieldDescription("port", .integer(1...65_535), .required, "UDP port."),
        FieldDescription(
            "source", .formatted(.address), .optional,
            "Address of the only sender that is received (source-specific multicast)."),
        FieldDescription(
            "encapsulation", .choice(["auto", "rtp", "raw"]), .defaulted("auto"),
            "Encapsulation: rtp is MPEG-2 TS in RTP, raw is MPEG-2 TS directly in UDP, auto is what comes."),
        FieldDescription(
            "payloadType", .integer(0...127), .defaulted(33),
            "RTP payload type of the encapsulation rtp and of data channels; auto takes any."),
        FieldDescription(
            "bandwidthKbps", .integer(0...10_000_000), .defaulted(0), "Nominal bit rate in kbit/s; 0 if unknown."),
        FieldDescription("text", .text(0...1_024), .defaulted(""), "Description for the guide."),
        FieldDescription(
            "playoutDelayMs", .integer(0...10_000), .optional,
            "Delay from arrival to presentation; absent: playback.playoutDelayMs."),
        FieldDescription(
            "program", .textOr(1...256, .integer(1...65_535)), .optional,
            "Number or SDT name of the program that is played; absent: the first."),
    ]

    private static let playlistFields = [
        FieldDescription("name", .text(1...64), .required, "The playlist's name, which commands take."),
        FieldDescription("items", .list(of: .record(itemFields), 1...1_000), .required, "In the order of playing."),
        properties,
    ]

    private static let properties = FieldDescription(
        "properties", .map(of: .anything), .defaulted([:]), "What its author notes of it, for programs that ask.")

    private static let itemFields = [
        FieldDescription(
            "channel", .text(1...128), .optional, "Name of a channel. An item has a channel, a file or sources."),
        FieldDescription(
            "file", .formatted(.path), .optional, "Path of a media file. An item has a channel, a file or sources."
        ).locally(),
        FieldDescription(
            "sources", .list(of: .record(sourceFields), 0...Video.sourceLimit), .defaulted([]),
            "Where the item can be had. playback.sourcePolicy chooses one of them."),
        FieldDescription(
            "title", .text(0...128), .defaulted(""),
            "Title in events; \"\" uses the channel, the file or the first source."),
        FieldDescription(
            "cuePoints", .list(of: .record(cuePointFields), 0...1_000), .defaulted([]),
            "Cue points; an event reports each one that is passed."),
        properties,
    ]

    private static let sourceFields = [
        FieldDescription("delivery", delivery, .required, "How the source is delivered."),
        FieldDescription(
            "location", .text(0...1_024), .defaulted(""),
            "Name of a channel for MULTICAST, a URL for HLS, MP4 and RTP. A source has a location or a file."),
        FieldDescription(
            "file", .formatted(.path), .optional, "Path of a media file for FILE and MP4."
        ).locally(),
        properties,
    ]

    private static let cuePointFields = [
        FieldDescription("timeMs", .integer(0...86_400_000), .required, "Time from the beginning of the item."),
        FieldDescription("kind", .text(1...64), .required, "Purpose of the cue point."),
        properties,
    ]
}
