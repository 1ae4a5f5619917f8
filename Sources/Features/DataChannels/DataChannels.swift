// SPDX-License-Identifier: Apache-2.0
import Commands
import Control
import Hosting
import JSON
import LineUp
import Reception
import Settings
import Shapes
import Statistics
import System
import Time
import Venue

/// The feature that receives data channels for clients that follow them and for the consumers of the settings
/// (SVM-43…48).
public final class DataChannels: Feature {
    public static let summary = """
        data channels are received while somebody follows them, and what the box itself does with their messages; \
        the command `data`
        """

    /// What messages have the box do. The product provides this value.
    public struct Commands {
        public typealias Dispatch = (CommandRequest, @escaping (Result<JSONValue, Status>) -> Void) -> Void

        public var catalogue: Catalogue
        /// Executes a command with the role operator at most.
        public var dispatch: Dispatch
        /// Takes a signed group command that came in the channel of this name, and says why not, or nil.
        public var takeSigned: (_ envelope: [UInt8], _ channel: String) -> String?
        /// Called after each message of a channel that a client follows.
        public var followed: (MessageFeed) -> Void

        public init(
            catalogue: Catalogue, dispatch: @escaping Dispatch,
            takeSigned: @escaping (_ envelope: [UInt8], _ channel: String) -> String?,
            followed: @escaping (MessageFeed) -> Void
        ) {
            self.catalogue = catalogue
            self.dispatch = dispatch
            self.takeSigned = takeSigned
            self.followed = followed
        }
    }

    public static var commands: [Handler<DataChannels>] { [Handler(ListDataChannels.self)] }
    public static var events: [EventDescription] {
        [EventDescription(DataChannelJoined.self), EventDescription(DataChannelLeft.self)]
    }

    private let context: FeatureContext
    private let lineUp: LineUpView
    private let plane: DataPlane
    private let consumers: DataConsumers
    private let figures: StatisticGroup

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        lineUp = context.provided(LineUpView.self)
        let (settings, commands) = (context.provided(Settings.self), context.provided(Commands.self))
        let log = context.journal.log(for: "data")
        do throws(SystemCallError) {
            plane = try DataPlane(settings, loop: context.loop, log: log)
        } catch {
            throw .failure(.failed, "\(error)")
        }
        consumers = DataConsumers(settings.data, commands, log: log)
        figures = StatisticGroup("data", DataFigures.statistics) { [plane, consumers] in
            plane.figures(consumers.counters)
        }
        plane.onEvent = { context.emit($0) }
        plane.onMessage = commands.followed
        plane.onConsumed = { [consumers] consumer, delivery in consumers.consume(delivery, as: consumer.kind) }
        lineUp.subscribe { [weak self] in self?.lineUpChanged($0) }
        context.settings.follow(["data", "network"]) { [weak self] new, _ in self?.apply(new) }
    }

    public func start() {
        context.statistics.attach(figures)
        plane.start()
        plane.lineUpChanged(lineUp.current.listed(.data))
    }

    public func tick(at now: Monotonic) { plane.tick() }

    public func stop() {
        plane.stop()
        context.statistics.detach(figures)
    }

    private func apply(_ settings: Settings) {
        plane.use(interface: settings.network.interface)
        consumers.use(settings.data)
        plane.use(settings.data.consumers)
    }

    /// Subscribes a client to a data channel; see `CommandHandler.follow`.
    public func follow(_ channel: String) -> Result<MessageFeed, Status> { plane.follow(channel) }

    public func leave(_ feed: MessageFeed) { plane.leave(feed) }

    /// Memberships of the joined channels, to be reviewed together with those of the channels that play.
    public var memberships: [(channel: Channel, membership: ChannelMembership)] { plane.memberships }

    /// - Parameter text: name or id of a channel; nil for all data channels.
    func rows(of text: String?) throws(Status) -> [DataChannelRow] {
        var listed = lineUp.current.listed(.data)
        if let text {
            guard let entry = lineUp.current.entry(matching: text), entry.kind == .data else {
                let known = listed.map(\.name).prefix(8).joined(separator: ", ")
                throw .failure(
                    .failed,
                    "data channel '\(text)' is not in the line-up: expected one of \(known.isEmpty ? "none" : known)")
            }
            listed = [entry]
        }
        let now = SystemClock.monotonic()
        return listed.map { plane.row(of: $0, at: now) }
    }

    private func lineUpChanged(_ changes: [LineUpChange]) {
        if changes.contains(where: { $0.concerns(.data) }) { plane.lineUpChanged(lineUp.current.listed(.data)) }
    }
}
