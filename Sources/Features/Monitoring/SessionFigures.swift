// SPDX-License-Identifier: Apache-2.0
import Reporting
import Statistics
import Venue

/// Figures of a region's current session.
struct SessionFigures: Sendable {
    /// Session number and title of the channel's announcement; nil for a file.
    var announcement: (session: Int64, title: String)?
    var droppedPictures: Int64 = 0
    /// Lost packets per million after repair; nil while it is unknown.
    var lossPPM: Int64?
    /// 0...10; nil if the box receives by a wire, or the radio's figures are not known.
    var radioScore: Int?
    var uptime: Int64 = 0

    static let statistics: [Statistic<Self>] = [
        Statistic("announcement", .gauge, .none, "Session number of the channel's announcement.") { figures in
            figures.announcement.map { .integer($0.session) }
        }.known(as: SessionStatistic.sessionID.rawValue),
        Statistic("title", .text, .none, "Session title of the channel's announcement.") { figures in
            figures.announcement.map { .text($0.title) }
        }.known(as: SessionStatistic.sessionTitle.rawValue),
        .counter(
            "droppedPictures", \.droppedPictures, "pictures",
            "Pictures that were not shown: those that were late, refused by the decoder, or left out under overload.",
            [.fault, .page]
        ).known(as: SessionStatistic.droppedVideoFrames.rawValue),
        Statistic(
            "linkIndicator", .gauge, .none,
            "How good the link is: the lesser of what loss after repair and the radio's figures say."
        ) { figures in
            guard figures.announcement != nil else { return nil }
            guard let loss = figures.lossPPM.map({ LinkIndicator.value(lossPPM: $0) }) else { return .unknown }
            return .integer(Int64(min(loss, figures.radioScore ?? loss)))
        }.known(as: SessionStatistic.linkIndicator.rawValue),
        .counter("uptimeSeconds", \.uptime, .seconds, "How long the session has been open.")
            .known(as: SessionStatistic.uptime.rawValue),
    ]
}
