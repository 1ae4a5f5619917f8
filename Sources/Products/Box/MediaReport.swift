// SPDX-License-Identifier: Apache-2.0
import Buffers
import Layouts
import Mixing
import Playback
import Presentation
import Reception
import Tuning
import Venue

/// The reports of the media plane to the control plane.
enum MediaReport: StateMessage {
    case stage(StageReport)
    case sound(MixerReport)
    case playback(PlaybackReport)
    /// The answer to the command `screenshot`.
    case screenshot(ticket: Int, Result<ScreenshotFile, Status>)
    /// A session that was closed has ended: its threads are joined, its decoder and its memory are given back.
    case sessionEnded(Int)
    /// A session that was closed does not end. Reported once; `sessionEnded` may still follow.
    case sessionHangs(Int)
    /// Parity was found beside a channel that nobody announced to be protected.
    case repairFound(Channel, RepairParity)
    /// Two senders send a channel to the same group and port.
    case senderConflict(Channel, SenderConflict)
    /// Kept channels gave their history for that of a session, or it is shorter than the settings say.
    case historyCut(HistoryCut)

    enum Subject: Hashable, Sendable {
        case stage(StageReport.Subject)
        case soundOutput
        case playback(PlaybackReport.Subject)
        case screenshot(ticket: Int)
        case closing(session: Int)
        case repair(Channel.ID)
        case senders(Channel.ID)
        case history(session: Int)
    }

    var subject: Subject {
        switch self {
        case .stage(let report): .stage(report.subject)
        case .sound: .soundOutput
        case .playback(let report): .playback(report.subject)
        case .screenshot(let ticket, _): .screenshot(ticket: ticket)
        case .repairFound(let channel, _): .repair(channel.id)
        case .senderConflict(let channel, _): .senders(channel.id)
        case .sessionEnded(let session), .sessionHangs(let session): .closing(session: session)
        case .historyCut(let cut): .history(session: cut.session)
        }
    }
}
