// SPDX-License-Identifier: Apache-2.0
import Buffers
import Layouts
import Presentation
import Synchronization
import Time

/// State that the stage, the pictures' thread and the viewers share.
/// - Thread: any.
final class PictureExchange: Sendable {
    /// Identifies a viewer.
    struct Viewer: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// How large the pictures of a viewer are.
    enum Format: Sendable {
        case usual
        /// For the flight recorder, which is no viewer that anybody counts.
        case small
    }

    private struct Looking {
        let format: Format
        let period: Nanoseconds
        let deliver: @Sendable ([UInt8]) -> Void
        /// The version of the picture that the viewer was given last; 0 for none.
        var version = 0
        var delivered = Monotonic(nanoseconds: 0)
    }

    private struct Audience {
        var all: [Int: Looking] = [:]
        var last = 0
    }

    /// Copies that the stage has made, for the pictures' thread.
    let taken: Mailbox<Screenshot>
    /// Wakes the pictures' thread.
    let wakeup = Wakeup()
    let counters = PublishedValue(PictureCounters())
    let stopping = StopFlag()
    private let audience = Mutex(Audience())
    /// The forms of the screenshots that are to come, by ticket.
    private let wanted = Mutex<[Int: ScreenshotStyle]>([:])

    init() {
        let wakeup = wakeup
        taken = Mailbox { wakeup.signal() }
    }

    /// Screenshots that the stage may owe at once; it answers in order, so that an older one will never come.
    private static let mostWanted = 64

    func want(_ style: ScreenshotStyle, ticket: Int) {
        wanted.withLock { wanted in
            wanted[ticket] = style
            wanted = wanted.filter { $0.key > ticket - Self.mostWanted }
        }
    }

    /// - Returns: PNG for a ticket that nobody said anything of.
    func takeStyle(ticket: Int) -> ScreenshotStyle { wanted.withLock { $0.removeValue(forKey: ticket) } ?? .png }

    func add(
        period: Nanoseconds, as format: Format = .usual, _ deliver: @escaping @Sendable ([UInt8]) -> Void
    ) -> Viewer {
        defer { wakeup.signal() }
        return audience.withLock { audience in
            audience.last += 1
            audience.all[audience.last] = Looking(format: format, period: period, deliver: deliver)
            return Viewer(number: audience.last)
        }
    }

    func remove(_ viewer: Viewer) {
        audience.withLock { $0.all[viewer.number] = nil }
        wakeup.signal()  // who is left may want pictures seldom
    }

    var viewerCount: Int { audience.withLock { $0.all.values.count { $0.format == .usual } } }

    /// The period of the viewer that wants the most pictures; nil while there is no viewer.
    var shortestPeriod: Nanoseconds? { audience.withLock { $0.all.values.map(\.period).min() } }

    /// Chooses the viewers that are to be given the picture: those that have not had it and whose period is over, and
    /// those that were given nothing for `repetition`, or a recorder for its period. They are marked as having it.
    /// - Parameter version: the version of the picture, from 1.
    /// - Returns: the functions that deliver a picture to these viewers, and which they want.
    func takeDue(
        version: Int, repetition: Nanoseconds, at now: Monotonic
    ) -> [(format: Format, deliver: @Sendable ([UInt8]) -> Void)] {
        audience.withLock { audience in
            audience.all.compactMap { number, looking in
                let age = now - looking.delivered
                // Pictures come at the pace of the fastest viewer. For a slower one, half a period early is better than
                // half a period late.
                let isDue =
                    looking.version == 0 || age >= (looking.format == .small ? looking.period : repetition)
                    || looking.version != version && age >= looking.period / 2
                guard isDue else { return nil }
                audience.all[number]?.version = version
                audience.all[number]?.delivered = now
                return (looking.format, looking.deliver)
            }
        }
    }
}
