// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import LineUp
import Playback
import System
import Time
import Venue

/// The feature that knows the present and following programmes, as the received streams announce them.
public final class Guide: Feature {
    public static let summary = """
        what is on now and next on each channel, by the streams' own event information; the command `epg`
        """

    public static var commands: [Handler<Guide>] { [Handler(ShowBroadcasts.self)] }
    public static var events: [EventDescription] { [EventDescription(NowNextChanged.self)] }

    private let context: FeatureContext
    private let lineUp: LineUpView
    private let view: NowNextView
    private let zone: LocalZone

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        lineUp = context.provided(LineUpView.self)
        view = context.provided(NowNextView.self)
        zone = context.provided(LocalZone.self)
        lineUp.subscribe { [weak self] in self?.lineUpChanged($0) }
        // A channel that is left keeps its last programmes until they are over.
        context.provided(RegionDirectory.self).addConsumer(
            SessionConsumer(
                "now and next",
                reported: { [weak self] report, region in
                    if case .nowNextChanged(let session, let nowNext) = report {
                        self?.heard(nowNext, in: session, of: region)
                    }
                },
                ended: { [view] session, _, _ in
                    if let id = session.source.channel?.id { view.current.left(id) }
                }))
    }

    /// The stream that a session plays announces other programmes. It is ignored unless the session is the current one of
    /// its region.
    private func heard(_ nowNext: NowNext, in session: Int, of region: RegionPlayer) {
        guard let current = region.player.current, current.id == session, let id = current.source.channel?.id else {
            return
        }
        if view.current.heard(nowNext, on: id) { tell(id) }
    }

    /// Emits an event for each channel whose programmes have changed with time.
    public func tick(at now: Monotonic) {
        for id in view.current.tick(at: SystemClock.wall()) { tell(id) }
    }

    /// - Parameter text: name, id or number of a channel; nil for all channels of the line-up.
    func rows(of text: String?) throws(Status) -> [GuideRow] {
        let lineUp = lineUp.current
        let wanted = if let text { [try lineUp.entry(of: text)] } else { lineUp.listed }
        return wanted.flatMap { entry -> [GuideRow] in
            let nowNext = view.current[entry.id]
            return [(GuideRow.When.now, nowNext?.now), (.next, nowNext?.next)].compactMap { when, broadcast in
                answer(broadcast).map { GuideRow(entry: entry, when: when, programme: $0) }
            }
        }
    }

    private func lineUpChanged(_ changes: [LineUpChange]) {
        for case .channelRemoved(let entry, _) in changes where lineUp.current[entry.id] == nil {
            view.current.remove(entry.id)
        }
    }

    private func tell(_ id: Channel.ID) {
        guard let entry = lineUp.current[id] else { return }
        let nowNext = view.current[id]
        context.emit(
            NowNextChanged(id: id.text, channel: entry.name, now: answer(nowNext?.now), next: answer(nowNext?.next)))
    }

    private func answer(_ broadcast: Broadcast?) -> BroadcastAnswer? {
        broadcast.map { BroadcastAnswer($0, in: zone.rules) }
    }
}
