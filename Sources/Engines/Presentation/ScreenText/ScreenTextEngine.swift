// SPDX-License-Identifier: Apache-2.0
import Buffers
import Scene
import System
import Time

/// Typesets the texts over the pictures on a thread of its own, so that the render thread only blends (SVM-11).
/// - Thread: any.
public final class ScreenTextEngine: Sendable {
    /// The longest wait, after which the wall clock is read again in case it was set.
    private static let longestWait = Nanoseconds.seconds(60)

    public let counters = PublishedValue(ScreenTextCounters())
    private let inputs: Mailbox<ScreenText.Input>
    private let wakeup = Wakeup()
    private let stopping = StopFlag()
    private let thread: DedicatedThread

    public enum Direction: Sendable {
        /// The direction of each text.
        case auto
        case leftToRight, rightToLeft
    }

    public struct Options: Sendable {
        public var policy = ScreenText.Policy()
        /// The margin at each edge in percent of width and height, 0...10.
        public var safeAreaPercent = 5
        public var direction = Direction.auto
        public var theme = ScreenTheme()

        public init() {}
    }

    /// - Parameters:
    ///   - stage: posts a command to the stage; returns false if the stage refuses it.
    ///   - failed: called on the text thread the first time that something cannot be drawn.
    public init(
        size: PixelSize, _ options: Options, stage: @escaping @Sendable (StageCommand) -> Bool,
        failed: @escaping @Sendable (String) -> Void
    ) throws(SystemCallError) {
        let (wakeup, stopping, counters) = (wakeup, stopping, counters)
        let inputs = Mailbox<ScreenText.Input> { wakeup.signal() }
        self.inputs = inputs
        let geometry = ScreenGeometry(stage: size, options)
        thread = try DedicatedThread("text") {
            let loop = ScreenTextLoop(options.policy, geometry, stage: stage) { failed("\($0)") }
            var counted = loop.counters
            while !stopping.isRaised {
                let now = SystemClock.monotonic()
                let next = loop.handle(inputs.takeAll(), now: now, wall: SystemClock.wall())
                var shown = loop.counters
                let isTypeset = shown.typesettings != counted.typesettings
                let span = (SystemClock.monotonic() - now).microseconds
                shown.typesettingUs = isTypeset ? span : counted.typesettingUs
                counted = shown
                counters.set(shown)
                let longest = now + Self.longestWait
                wakeup.wait(until: min(next ?? longest, longest))
            }
        }
    }

    /// - Returns: false if the text thread hangs and a thousand inputs wait for it.
    @discardableResult
    public func post(_ input: ScreenText.Input) -> Bool { inputs.post(input) }

    /// Ends the thread. The texts on the screen stay.
    public func stop() {
        stopping.raise()
        wakeup.signal()
        thread.join()
    }
}
