// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Shapes

/// A part of the counters, by what a technician looks for.
struct StatisticPage {
    let name: String
    let summary: String
    /// Groups of the counters, as `stats` has them.
    let groups: [String]

    static let all = [
        StatisticPage(
            name: "repair", summary: "Show what was lost on the way, and what repair brought back",
            groups: ["quality", "reception"]),
        StatisticPage(
            name: "picture", summary: "Show how pictures are decoded and shown",
            groups: ["playback", "decoders", "stage", "screen", "pictures"]),
        StatisticPage(
            name: "sound", summary: "Show how sound is mixed and heard", groups: ["sound", "sessionSound"]),
    ]

    init(name: String, summary: String, groups: [String]) {
        (self.name, self.summary, self.groups) = (name, summary, groups)
    }

    /// nil if the request is for no such page.
    init?(of request: CommandRequest) {
        guard let page = Self.all.first(where: { $0.name == request.command }) else { return nil }
        self = page
    }

    var description: CommandDescription {
        let member = FieldDescription("stats", .anything, .required, "value by name, in groups")
        return CommandDescription(
            name, summary, help: "The counters of \(groups.joined(separator: ", ")); 'stats --describe' explains them.",
            answer: AnswerDescription(.dictionary, [member]), isLocal: true)
    }

    /// - Parameter stats: the answer of the command `stats`.
    func part(of stats: JSONValue) -> JSONValue {
        let all = stats["stats"]?.object ?? [:]
        return ["stats": .object(all.filter { groups.contains($0.key) })]
    }
}
