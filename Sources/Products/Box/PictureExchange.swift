// SPDX-License-Identifier: Apache-2.0
import Buffers
import Presentation
import Synchronization
import Time

/// Where the stage, the pictures' thread and those who look at its pictures meet.
/// - Thread: any.
final class PictureExchange: Sendable {
    /// Names one who looks.
    struct Viewer: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct Looking {
        let period: Nanoseconds
        let deliver: @Sendable ([UInt8]) -> Void
        /// Of the picture that it was given last; 0: none yet.
        var version = 0
        var delivered = Monotonic(nanoseconds: 0)
    }

    private struct Audience {
        var all: [Int: Looking] = [:]
        var last = 0
    }

    /// Copies that the stage has made.
    let taken: Mailbox<Screenshot>
    /// Of the pictures' thread.
    let wakeup = Wakeup()
    let counters = PublishedValue(PictureCounters())
    let stopping = StopFlag()
    private let audience = Mutex(Audience())

    init() {
        let wakeup = wakeup
        taken = Mailbox { wakeup.signal() }
    }

    func add(period: Nanoseconds, _ deliver: @escaping @Sendable ([UInt8]) -> Void) -> Viewer {
        defer { wakeup.signal() }
        return audience.withLock { audience in
            audience.last += 1
            audience.all[audience.last] = Looking(period: period, deliver: deliver)
            return Viewer(number: audience.last)
        }
    }

    func remove(_ viewer: Viewer) { audience.withLock { $0.all[viewer.number] = nil } }

    var viewerCount: Int { audience.withLock { $0.all.count } }

    /// Of whoever wants the most pictures; nil while nobody looks.
    var shortestPeriod: Nanoseconds? { audience.withLock { $0.all.values.map(\.period).min() } }

    /// Who is to be given a picture: those who have not seen it and wait for as long as they wanted, and all after
    /// `repetition`. They are taken to have it.
    /// - Parameter version: of the picture, from 1.
    func takeDue(version: Int, repetition: Nanoseconds, at now: Monotonic) -> [@Sendable ([UInt8]) -> Void] {
        audience.withLock { audience in
            audience.all.compactMap { number, looking in
                let age = now - looking.delivered
                // Pictures come when the fastest wants them: half a period early is better than half a one late.
                let isDue =
                    looking.version == 0 || age >= repetition
                    || looking.version != version && age >= looking.period / 2
                guard isDue else { return nil }
                audience.all[number]?.version = version
                audience.all[number]?.delivered = now
                return looking.deliver
            }
        }
    }
}
