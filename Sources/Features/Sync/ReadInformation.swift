// SPDX-License-Identifier: Apache-2.0
import Commands
import CompanionScreens
import Shapes
import Synchronisation
import Time
import Venue

struct ReadInformation: DeferredCommand {
    var url = ""
    var seconds: Int64 = 0

    static let about = About(
        "sync-cii", "Show what a server of CSS-CII tells",
        help: """
            The box connects to it, waits for its first message, and for changes as long as is said. It is not followed.
            """, role: .operator)
    static let shape = Shape<Self>([
        .argument("url", \.url, .text(1...2_048), "Of its CSS-CII service."),
        .optionalArgument("seconds", \.seconds, .integer(0...4), "For how long changes are waited for."),
    ])

    func run(on sync: Sync, _ reply: Reply<InformationReport>) {
        guard let parsed = WebSocketURL(url), !parsed.isSecure else {
            let text = "url is '\(url.prefix(80))': expected one like ws://192.0.2.1:7681/cii"
            return reply(.failure(.failure(.failed, text)))
        }
        sync.readers.read(parsed, listeningFor: .seconds(seconds), reply)
    }
}

/// What a server of CSS-CII has told.
struct InformationReport: Answer {
    let protocolVersion: String?
    let contentId: String?
    let contentIdStatus: String?
    let presentationStatus: String?
    let mrsUrl: String?
    let wcUrl: String?
    let tsUrl: String?
    let teUrl: String?
    let timelines: [String]
    let changes: [String]

    init(_ reading: InformationReader.Reading) {
        let information = reading.information
        protocolVersion = information.protocolVersion?.rawValue
        contentId = information.contentID
        contentIdStatus = information.contentIDStatus?.rawValue
        presentationStatus = information.presentationStatus?.text
        mrsUrl = information.mrsURL
        wcUrl = information.wcURL?.description
        tsUrl = information.tsURL?.description
        teUrl = information.teURL?.description
        timelines = (information.timelines ?? []).map(Self.text)
        changes = reading.changes.map { $0.map(\.rawValue).sorted().joined(separator: " ") }
    }

    private static func text(_ option: TimelineOption) -> String {
        let properties = option.properties
        let rate = "\(properties.unitsPerSecond)/\(properties.unitsPerTick) ticks a second"
        return "\(option.selector.text) at \(rate)" + (properties.accuracy.map { ", accurate to \($0) s" } ?? "")
    }

    static let shape = Shape<Self>([
        .value("protocolVersion", \.protocolVersion, .optional(.text), "1.1"),
        .value("contentId", \.contentId, .optional(.text), "what it presents, or null"),
        .value("contentIdStatus", \.contentIdStatus, .optional(.text), "partial or final"),
        .value("presentationStatus", \.presentationStatus, .optional(.text), "okay, transitioning or fault"),
        .value("mrsUrl", \.mrsUrl, .optional(.text), "of material resolution"),
        .value("wcUrl", \.wcUrl, .optional(.text), "of the wall clock"),
        .value("tsUrl", \.tsUrl, .optional(.text), "of the timelines, CSS-TS"),
        .value("teUrl", \.teUrl, .optional(.text), "of trigger events, CSS-TE"),
        .value("timelines", \.timelines, .list(of: .text), "selector and rate of each"),
        .value("changes", \.changes, .list(of: .text), "of each message after the first one, what it changed"),
    ])
}
