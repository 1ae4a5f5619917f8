// SPDX-License-Identifier: Apache-2.0
import JSON
import Presentation
import Scene
import System
import Time
import Venue

/// What is on the stage, for people: single looks as PNG files, and a moving picture of JPEG files that all viewers
/// share. While nobody looks nothing is taken and nothing encoded.
///
/// - Thread: any. The encoders have one of their own, which gives way to all others.
final class PictureStream: Sendable {
    typealias Viewer = PictureExchange.Viewer

    struct Options: Sendable {
        /// The most that a picture of the stream has.
        var width = 960
        /// 1...100.
        var quality = 80
        /// A picture that stays the same is told again after so long, so that whoever looks knows that it is not stuck.
        var repetition = Nanoseconds.seconds(1)
    }

    private let size: PixelSize
    private let exchange: PictureExchange
    private let take: @Sendable (Screenshot) -> Bool
    private let thread: DedicatedThread

    /// - Parameters:
    ///   - size: of the stage.
    ///   - exchange: where the stage puts the copies that it was asked for; of this stream alone.
    ///   - take: asks the stage for a copy; false when it cannot be asked.
    ///   - encoded: a PNG file, or why there is none, by its ticket; as the command `screenshot` answers. Called on the
    ///     stream's thread.
    init(
        of size: PixelSize, _ options: Options = Options(), over exchange: PictureExchange,
        take: @escaping @Sendable (Screenshot) -> Bool,
        encoded: @escaping @Sendable (Int, Result<JSONValue, Status>) -> Void
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

    /// The viewer is given each new picture, a whole JPEG file, until it is removed: soon, then whenever what is on the
    /// screen has changed, and once a second in any case.
    /// - Parameters:
    ///   - perSecond: at most, 1...60.
    ///   - deliver: called on the stream's thread, for which all others wait: keeps the newest and wakes somebody.
    func addViewer(perSecond: Int, _ deliver: @escaping @Sendable ([UInt8]) -> Void) -> Viewer {
        precondition((1...60).contains(perSecond))
        return exchange.add(period: .seconds(1) / Int64(perSecond), deliver)
    }

    /// A picture that is on its way may still come.
    func removeViewer(_ viewer: Viewer) { exchange.remove(viewer) }

    /// - Parameter ticket: from 1.
    func takeFile(ticket: Int) {
        precondition(ticket > PictureLoop.ownTicket)
        // A stage that takes no commands hangs; the asker notices that nothing comes.
        _ = take(Screenshot(ticket: ticket, size: size))
    }

    /// Ends the thread. What was asked for and is not encoded yet comes to nothing.
    func stop() {
        exchange.stopping.raise()
        exchange.wakeup.signal()
        thread.join()
    }
}
