// SPDX-License-Identifier: Apache-2.0
import Codecs
import Commands
import Hosting
import JSON
import Journal
import Media
import Shapes
import Statistics
import System
import Venue

/// The feature that knows the video decoders of this box. The drivers report them and the board's file narrows the
/// report (SVM-23). The command `decoders` lists them (SVM-24).
public final class Decoders: Feature {
    public static let summary = """
        what decodes video on this box: the drivers' word, narrowed by the board's file; the command `decoders`
        """

    /// Where the box finds its decoders. The product provides this value.
    public struct Sources {
        /// The folder of the boards' files and their checksum manifest.
        public var boards: String
        /// The names of this machine, the most specific first.
        public var machine: [String]
        /// Opens simulated devices in tests; nil opens the machine's own devices.
        package var opener: DecoderPool.Opener?
        public var look: @Sendable () -> DecoderInventory

        /// - Parameter machine: nil takes the names from the device tree or the firmware.
        public init(
            boards: String, machine: [String]?, look: @escaping @Sendable () -> DecoderInventory
        ) {
            self.boards = boards
            self.machine = machine ?? BoardLimits.namesOfThisMachine()
            self.look = look
        }
    }

    public static var commands: [Handler<Decoders>] { [Handler(ListDecoders.self)] }
    public static var events: [EventDescription] { [EventDescription(DecodersRefused.self)] }

    private let context: FeatureContext
    private let log: Log
    private let board: BoardLimits
    private let reader: DecoderReader

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        log = context.journal.log(for: "decoders")
        let sources = context.provided(Sources.self)
        board = BoardLimits(in: sources.boards, for: sources.machine)
        do {
            reader = try DecoderReader(
                board.limits, loop: context.loop, opener: sources.opener, look: sources.look)
        } catch {
            throw .failure(.failed, "\(error)")
        }
        let pool = reader.pool
        context.statistics.attach(
            StatisticGroup("decoders", DecoderFigures.statistics) {
                DecoderFigures(pool.budget, pool.counts, lastRefusal: pool.lastRefusal)
            })
    }

    /// Hands out decoders to sessions.
    public var pool: DecoderPool { reader.pool }

    /// Reports the refused files and logs the decoders. A box whose file is refused uses the limits of its drivers.
    public func start() {
        for refusal in board.refusals {
            for problem in refusal.problems {
                log(.error, "a board's file is not taken", ["file": refusal.file, "problem": problem])
            }
            context.emit(refusal)
        }
        for device in pool.budget.limits.devices {
            guard let problem = device.licenceProblem else { continue }
            log(.warning, "a decoder is not used", ["driver": device.driver, "why": problem])
        }
        log(
            .debug, "devices asked",
            ["usable": pool.budget.inventory.devices.count, "board": board.file ?? "none"])
        for device in pool.budget.inventory.devices {
            log(
                .info, "decoder",
                [
                    "path": device.path, "driver": device.driver, "kind": device.kind.rawValue,
                    "codecs": device.streams.map(\.coding.rawValue).joined(separator: ","),
                ])
        }
    }

    /// Lists the devices again and answers with the rows of the command `decoders`.
    func list(_ answer: @escaping ([DecoderRow]) -> Void) {
        reader.read { [board, pool] in answer(DecoderReport(budget: pool.budget, board: board.file).rows) }
    }

    /// What would decode such pictures if they were played now: the path of a device, or `software` or `none` and why no
    /// device does.
    /// - Parameter width: in pixels; 0 if it is not known, as the height.
    /// - Returns: nil for a codec of sound.
    public func decoder(of codec: Media.Codec, width: Int, height: Int) -> String? {
        let size = width > 0 && height > 0 ? DecoderNeed.Size(width: width, height: height) : nil
        return VideoCoding(codec).map {
            DecoderReport(budget: pool.budget, board: board.file).decoder(for: DecoderNeed($0, size: size))
        }
    }

    public func stop() { reader.stop() }
}
