// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import LineUp
import Mixing
import Playback
import Presentation
import Scene
import Settings
import System
import Time
import Venue

/// The feature that arranges the stage: layouts and their regions, the viewport, strategies over them, slates and
/// screenshots (SVM-70, 71, 96, PLAY-33…39, MEET-46, 47).
public final class Layouts: Feature {
    public static let summary = """
        the stage arranged: layouts and their regions, gallery, viewport, strategies over them; slates that say why \
        there is no picture; the commands `layout`, `region`, `strategy`, `viewport`, `screenshot` and their like
        """

    /// The stage as Layouts uses it. The product provides this value.
    public struct Output {
        public var size: () -> PixelSize
        public var setLayout: (StageLayout, StageTransition) -> Void
        public var show: (Slate, _ region: String) -> Void
        /// Has a screenshot taken; `Layouts.screenshotTaken` brings it.
        public var takeScreenshot: (_ ticket: Int, ScreenshotStyle) -> Void

        public init(
            size: @escaping () -> PixelSize, setLayout: @escaping (StageLayout, StageTransition) -> Void,
            show: @escaping (Slate, _ region: String) -> Void,
            takeScreenshot: @escaping (_ ticket: Int, ScreenshotStyle) -> Void
        ) {
            self.size = size
            self.setLayout = setLayout
            self.show = show
            self.takeScreenshot = takeScreenshot
        }
    }

    public static var commands: [Handler<Layouts>] {
        [
            Handler(ChooseLayout.self), Handler(KeepLayout.self), Handler(ListLayouts.self), Handler(ListRegions.self),
            Handler(ChangeRegion.self), Handler(RemoveRegion.self), Handler(ShowGallery.self),
            Handler(ChangeViewport.self), Handler(ListStrategies.self), Handler(SwitchStrategy.self),
            Handler(TakeScreenshot.self),
        ]
    }

    public static var events: [EventDescription] {
        [
            EventDescription(LayoutShown.self), EventDescription(StrategySwitched.self),
            EventDescription(StageActivity.self),
        ]
    }

    let context: FeatureContext
    private(set) var settings: Settings
    let regions: RegionDirectory
    let sounds: RegionSounds
    let lineUp: LineUpView
    let output: Output
    let slates: Slates
    /// The layout on the stage, and whether commands have changed it since it was chosen.
    var layout: (shown: Settings.Layout, isChanged: Bool) = (Settings.Layout.builtIn[0], false)
    /// Strategies that are active over the layout, bottom first.
    var strategies = StrategyStack()
    /// Whether an output shows the stage to people (SVM-76).
    public internal(set) var isStageActive = false
    /// What the stage reported last.
    var wasActive = false
    private var screenshots = ScreenshotTickets()

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        settings = context.provided(Settings.self)
        regions = context.provided(RegionDirectory.self)
        sounds = context.provided(RegionSounds.self)
        lineUp = context.provided(LineUpView.self)
        output = context.provided(Output.self)
        slates = Slates(context)
        slates.text = { [unowned self] in text(in: $0) }
        context.settings.follow(["layouts", "strategies", "output"]) { [weak self] new, old in
            self?.apply(new, insteadOf: old)
        }
    }

    /// Shows the layout that the settings name, and activates their strategies. The channels of both are awaited.
    public func start() {
        guard let first = known.first(where: { $0.stage.name == settings.output.layout }) else {
            preconditionFailure("settings name a layout that they do not have")
        }
        putOnFirstStrategies()
        layout = (first, false)
        arrange(.cut, awaiting: channelsOnStage)
        slates.show(in: regions.main)
    }

    public func tick(at now: Monotonic) { slates.showDue() }

    /// What the stage shows last, when the service ends.
    public var offAirCard: Slate { slates.offAirCard }

    /// The name of the layout on the stage.
    public var shownName: String { layout.shown.stage.name }

    // MARK: Settings

    /// Shows what the settings have of the layout and of the strategies that are on. A layout that commands have changed
    /// stays, and so does one that the settings no longer have. What plays in regions that stay goes on.
    private func apply(_ new: Settings, insteadOf old: Settings) {
        settings = new
        if new.output.standby != old.output.standby { applyVisibility(of: stageShown) }
        let isAsAtStart = !layout.isChanged && shownName == old.output.layout
        let name = isAsAtStart ? new.output.layout : shownName
        let wanted = layout.isChanged ? nil : known.first { $0.stage.name == name && $0 != layout.shown }
        let before = strategies
        strategies = followed(old)
        guard wanted != nil || strategies != before else { return }
        if let wanted { layout = (wanted, false) }
        arrange(transition(nil, nil), awaiting: channelsOnStage)
        regions.tuner?.tuneAwaited()
    }

    /// To be called when another output shows the stage. The gallery depends on the shape of the stage.
    public func stageChanged() {
        guard shownName == Settings.Layout.gallery, !layout.isChanged else { return }
        let before = layout.shown
        let new = gallery(of: before.stage.regions.compactMap { before.channels[$0.name] })
        guard new != before else { return }
        layout.shown = new
        arrange(.cut, awaiting: [:])
    }

    // MARK: Layouts

    var known: [Settings.Layout] { Settings.Layout.builtIn + settings.layouts }

    /// A layout of the settings or a built-in one. The gallery is made from the line-up.
    func layout(named name: String) throws(Status) -> Settings.Layout {
        if name == Settings.Layout.gallery {
            let shown = lineUp.current.listed.filter { !$0.isHidden && $0.kind == .video }
            guard !shown.isEmpty else { throw .failure(.failed, "the line-up shows no channel: expected one to show") }
            return gallery(of: shown.prefix(regions.sessionLimit).map(\.id.text))
        }
        if let found = known.first(where: { $0.stage.name == name }) { return found }
        let names = known.map(\.stage.name) + [Settings.Layout.gallery]
        throw .failure(.failed, "layout '\(name)' is not there: expected one of \(names.joined(separator: ", "))")
    }

    /// A grid with the first of the channels in `main`.
    func gallery(of channels: [String]) -> Settings.Layout {
        var stage = StageLayout.gallery(count: channels.count, names: [Settings.Layout.main], stage: output.size())
        stage.name = Settings.Layout.gallery
        let names = stage.regions.map(\.name)
        return Settings.Layout(stage, channels: Dictionary(zip(names, channels), uniquingKeysWith: { $1 }))
    }

    /// - Throws: if the regions do not fit together, or if too much would play at once. Nothing has changed then.
    func choose(_ new: Settings.Layout, _ transition: StageTransition) throws(Status) {
        let composed = strategies.compose(new.stage)
        if let problem = composed.problem { throw .failure(.failed, "layout '\(new.stage.name)': \(problem)") }
        let limit = regions.sessionLimit
        let count = sessions(of: composed, tuning: new.channels)
        guard count <= limit else {
            throw .failure(
                .failed,
                "layout '\(new.stage.name)' has \(count) sessions: expected at most playback.sessionLimit (\(limit))")
        }
        try regions.admit(channelsPlaying(on: composed, tuning: new.channels), called: new.stage.name)
        put(new, isChanged: false, transition)
        regions.tuner?.tuneAwaited()
    }

    /// The channels that would play with this layout.
    func channelsPlaying(on stage: StageLayout, tuning channels: [String: String]) -> [Channel] {
        stage.regions.compactMap { region in
            guard let name = channels[region.name] else { return regions[region.name]?.player.current?.source.channel }
            return lineUp.current.entry(matching: name)?.channel
        }
    }

    /// The number of sessions that would be open with this layout.
    func sessions(of stage: StageLayout, tuning channels: [String: String]) -> Int {
        let open = Set(regions.all.filter(\.player.isOpen).map(\.name))
        return stage.regions.count { channels[$0.name] != nil || open.contains($0.name) }
    }

    /// - Parameter isChanged: true for a variant of the present layout; false for another, whose channels are tuned.
    func put(_ new: Settings.Layout, isChanged: Bool, _ transition: StageTransition) {
        layout = (new, isChanged)
        arrange(transition, awaiting: isChanged ? [:] : new.channels)
    }

    /// Puts the layout and the strategies on the stage, stops the regions that are no longer there and creates those
    /// that are new.
    /// - Parameter channels: for a region's name: the channel that is to be tuned there.
    func arrange(_ transition: StageTransition, awaiting channels: [String: String]) {
        let stage = stageShown
        output.setLayout(stage, transition)
        let names = strategies.compose(layout.shown.stage).regions.map(\.name).filter { $0 != regions.main.name }
        let (joining, leaving) = regions.replace(with: names.map { ($0, strategies.owner(of: $0)) })
        for region in regions.all {
            if let channel = channels[region.name] { region.awaitsChannel = channel }
        }
        let standard = channelsOnStage
        for region in regions.all where !region.isMain {
            regions.setFallback(standard[region.name].map { .defaultChannel($0) } ?? .slate, of: region)
        }
        context.emit(
            LayoutShown(
                layout: shownName, isChanged: layout.isChanged, transition: transition, regions: rows(isEvent: true),
                viewport: AreaAnswer(area: layout.shown.stage.viewport)))
        for region in leaving { regions.stop(region) }
        for region in joining { slates.show(in: region) }
        applyVisibility(of: stage)
        sounds.arrange(regions.all.map(\.name), alone: regionHeardAlone)
    }

    /// The part of the layout that the viewport shows, together with the active strategies.
    var stageShown: StageLayout { strategies.compose(layout.shown.stage.seen) }

    // MARK: Screenshots

    /// The answer comes within 2 s. It is a failure if the stage has not answered by then.
    func takeScreenshot(_ style: ScreenshotStyle, _ reply: Reply<ScreenshotFile>) {
        let ticket = screenshots.add(reply)
        output.takeScreenshot(ticket, style)
        _ = context.loop.after(.seconds(2)) { [weak self] in
            self?.screenshots.take(ticket)?(.failure(.failure(.busy, "the stage did not answer within 2 s")))
        }
    }

    /// To be called with each screenshot.
    public func screenshotTaken(_ ticket: Int, _ result: Result<ScreenshotFile, Status>) {
        screenshots.take(ticket)?(result)
    }
}
