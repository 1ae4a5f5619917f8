// SPDX-License-Identifier: Apache-2.0
import Layouts
import Presentation
import Scene
import System
import Time
import Venue

/// The picture on the stage: screenshots as PNG files, and a moving picture of JPEG files that all viewers share. While
/// there is no viewer, no moving picture is taken or encoded.
///
/// - Thread: any. The encoders run on a thread of their own, which yields to threads of the default priority.
final class PictureStream: Sendable {
    typealias Viewer = PictureExchange.Viewer

    struct Options: Sendable {
        /// The greatest width of a picture of the stream, in pixels.
        var width = 960
        /// The same of those that are recorded.
        var smallWidth = 320
        /// JPEG quality, 1...100.
        var quality = 80
        /// Time after which an unchanged picture is sent again, which shows that the stream is not stuck.
        var repetition = Nanoseconds.seconds(1)
    }

    private let size: @Sendable () -> PixelSize
    private let exchange: PictureExchange
    private let take: @Sendable (Screenshot) -> Bool
    private let thread: DedicatedThread

    /// - Parameters:
    ///   - size: gives the size of the stage, which may change.
    ///   - exchange: receives the copies from the stage. No other stream may use it.
    ///   - take: asks the stage for a copy; false if the stage takes no commands.
    ///   - encoded: called on the stream's thread with a ticket and the answer to its command `screenshot`.
    init(
        of size: @escaping @Sendable () -> PixelSize, _ options: Options = Options(), over exchange: PictureExchange,
        take: @escaping @Sendable (Screenshot) -> Bool,
        encoded: @escaping @Sendable (Int, Result<ScreenshotFile, Status>) -> Void
    ) throws(SystemCallError) {
        self.size = size
        self.exchange = exchange
        self.take = take
        thread = try DedicatedThread("pictures") {
            Processors.giveWay()
            PictureLoop(of: size, options, exchange, take: take, encoded: encoded).run()
        }
    }

    var counters: PictureCounters { exchange.counters.value }

    /// Adds a viewer, which is given whole JPEG files until it is removed: the first one soon, then one whenever the
    /// stage has changed, and one a second in any case.
    /// - Parameters:
    ///   - perSecond: the most pictures a second, 1...60.
    ///   - deliver: called on the stream's thread. It must return soon, because all other viewers wait for it.
    func addViewer(perSecond: Int, _ deliver: @escaping @Sendable ([UInt8]) -> Void) -> Viewer {
        precondition((1...60).contains(perSecond))
        return exchange.add(period: .seconds(1) / Int64(perSecond), deliver)
    }

    /// The same of small pictures, one in a period, whether the stage has changed or not.
    func addRecorder(period: Nanoseconds, _ deliver: @escaping @Sendable ([UInt8]) -> Void) -> Viewer {
        exchange.add(period: period, as: .small, deliver)
    }

    /// One more picture may still be delivered after this returns.
    func removeViewer(_ viewer: Viewer) { exchange.remove(viewer) }

    /// - Parameter ticket: number from 1 with which `encoded` is called.
    func takeFile(ticket: Int, _ style: ScreenshotStyle = .png) {
        precondition(ticket > PictureLoop.ownTicket)
        exchange.want(style, ticket: ticket)
        // A stage that takes no commands hangs. The requester notices that no answer comes.
        _ = take(Screenshot(ticket: ticket, size: size()))
    }

    /// Ends the thread. Screenshots that are not encoded yet are dropped.
    func stop() {
        exchange.stopping.raise()
        exchange.wakeup.signal()
        thread.join()
    }
}
