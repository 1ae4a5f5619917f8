// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Time

/// What the stage reports to its owner.
public enum StageReport: StateMessage {
    /// The first picture of an epoch is on the screen: the session's first, or the first after a seek.
    case firstPicture(session: Int, epoch: Int, at: Monotonic)
    /// The session has had no picture for 500 ms.
    case starved(session: Int)
    /// The session has pictures again after `starved`.
    case fed(session: Int)
    case slateShown
    case screenshotTaken(Screenshot)
    /// Sent at least once a second while the render loop runs. It feeds the watchdog.
    case alive
    /// A picture could not be drawn. Only the first failure is reported; all are counted.
    case drawFailed(String)
    /// The output does not show what it should. Only the first failure is reported; all are counted.
    case outputFailed(String)
    /// A change of the output has ended: the new output shows the stage, or the old one for the reason given.
    case outputChanged(ticket: Int, problem: String?)
    /// A session's video is composed because the output refused it a plane. Reported once for each session.
    case planeRefused(session: Int, why: String)
    /// Pictures are copied because the GPU refused their decoder's memory. Reported once for each reason.
    case importRefused(why: String)
    /// The connector's screen shows another mode than the settings pin. `pin` is nil when that is over.
    case pinPassedOver(connector: String, pin: String?, mode: String)

    /// The subject of a report. Of two reports about one subject only the newer one matters.
    public enum Subject: Hashable, Sendable {
        case firstPicture(session: Int)
        /// Whether the session has pictures: `starved` or `fed`.
        case supply(session: Int)
        case plane(session: Int)
        case mode(connector: String)
        case outputChange(ticket: Int)
        case slate, screenshot, life, drawing, output, importing
    }

    public var subject: Subject {
        switch self {
        case .firstPicture(let session, _, _): .firstPicture(session: session)
        case .starved(let session), .fed(let session): .supply(session: session)
        case .slateShown: .slate
        case .screenshotTaken: .screenshot
        case .alive: .life
        case .drawFailed: .drawing
        case .outputFailed: .output
        case .outputChanged(let ticket, _): .outputChange(ticket: ticket)
        case .planeRefused(let session, _): .plane(session: session)
        case .importRefused: .importing
        case .pinPassedOver(let connector, _, _): .mode(connector: connector)
        }
    }
}
