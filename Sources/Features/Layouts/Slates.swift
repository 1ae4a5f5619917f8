// SPDX-License-Identifier: Apache-2.0
import Hosting
import LineUp
import Playback
import Presentation
import Reporting
import Settings
import System
import Venue

/// The slates of regions without a picture. It follows the regions' sessions and the health of the box.
/// - Thread: the control loop's only.
final class Slates {
    /// What a strategy writes in its region while nothing plays there; nil for nothing.
    var text: (RegionPlayer) -> String? = { _ in nil }
    private var settings: Settings
    private let identity: BoxIdentity
    private let output: Layouts.Output
    private let regions: RegionDirectory
    private let lineUp: LineUpView
    private let health: HealthView
    private let claim: ClaimNotice
    /// Regions in which the slate is shown over an open session because the service is down.
    private var overSessions: Set<String> = []
    /// The slate that each region was shown last.
    private var shown: [String: Slate] = [:]

    init(_ context: FeatureContext) {
        settings = context.provided(Settings.self)
        identity = context.provided(BoxIdentity.self)
        output = context.provided(Layouts.Output.self)
        regions = context.provided(RegionDirectory.self)
        lineUp = context.provided(LineUpView.self)
        health = context.provided(HealthView.self)
        claim = context.provided(ClaimNotice.self)
        regions.environment.showSlate = { [unowned self] in show(in: $0) }
        // Posted before the session opens, so that the slate never covers its first picture.
        regions.addConsumer(
            SessionConsumer(
                "slate",
                opening: { [unowned self] _, region in
                    if overSessions.remove(region.name) != nil || !region.player.screenHasPicture { show(in: region) }
                }, exchanged: { [unowned self] one, other in exchanged(one.name, other.name) }))
        health.subscribe { [unowned self] _ in showDue() }
        context.settings.follow(["announcements", "box", "network", "screenText"]) { [weak self] new, _ in
            self?.settings = new
            self?.showDue()
        }
    }

    /// The slates of two regions have gone along with their sessions.
    private func exchanged(_ one: String, _ other: String) {
        (shown[one], shown[other]) = (shown[other], shown[one])
        let (covers, coversOther) = (overSessions.contains(one), overSessions.contains(other))
        if covers != coversOther {
            overSessions.remove(covers ? one : other)
            overSessions.insert(covers ? other : one)
        }
        showDue()
    }

    func show(in region: RegionPlayer) { show(slate(of: region), in: region) }

    private func show(_ slate: Slate, in region: RegionPlayer) {
        shown[region.name] = slate
        output.show(slate, region.name)
    }

    /// Shows the slate again in the regions that have it, so that it says what is so now. A first picture may be on the
    /// screen without being known here: a slate that says nothing new must not cover it.
    func showDue() {
        for region in regions.all where isDue(in: region) {
            let slate = slate(of: region)
            if slate != shown[region.name] || !awaitsFirstPicture(in: region) { show(slate, in: region) }
        }
    }

    /// Whether the region is to show the slate. It is if no session is open there and no picture is held, or if the
    /// service went down while the region's channel buffers. The next picture replaces the slate.
    private func isDue(in region: RegionPlayer) -> Bool {
        guard let session = region.player.current else {
            return region.player.showsSlate || overSessions.contains(region.name)
        }
        if awaitsFirstPicture(in: region) { return true }
        guard session.source.channel != nil, session.isBuffering, !session.isPaused else {
            overSessions.remove(region.name)
            return false
        }
        if !health.snapshot.state.isUp { overSessions.insert(region.name) }
        return overSessions.contains(region.name)
    }

    /// Whether the slate was shown when the region's session opened, and no picture has replaced it.
    private func awaitsFirstPicture(in region: RegionPlayer) -> Bool {
        region.player.current?.lacksPicture == true && !region.player.screenHasPicture
    }

    /// The slate gives the reason; in `main` it also identifies the box.
    private func slate(of region: RegionPlayer) -> Slate {
        let (why, theme) = (reason(of: region).lines, settings.screenText.theme)
        guard region.isMain else {
            if region.player.current == nil, let text = text(region) {
                return Slate(title: text, lines: [], theme: theme)
            }
            return Slate(
                title: region.player.current?.name ?? region.awaitsChannel ?? region.name, lines: why, theme: theme)
        }
        return ofBox(why + claim.lines)
    }

    /// What the stage shows last (SVM-03).
    var offAirCard: Slate { ofBox(["Off air"]) }

    /// A slate that identifies the box.
    private func ofBox(_ lines: [String]) -> Slate {
        let address = HostAddress.first(of: settings.network.interface ?? "") ?? "none"
        return Slate(
            title: settings.boxName.isEmpty ? "Touchline" : settings.boxName, lines: lines,
            footer: ["Box \(identity.id)", "Address \(address)", "Version \(Build.version) (\(ImageBuild.id))"],
            theme: settings.screenText.theme)
    }

    private func reason(of region: RegionPlayer) -> SlateReason {
        let session = region.player.current.map { (name: $0.name, isSoundAlone: $0.isSoundAlone) }
        return SlateReason(
            state: health.snapshot.state, uplinks: health.snapshot.uplinks,
            groups: settings.announcements.groups.map(\.description), channelCount: lineUp.current.channelCount,
            lockedOutside: health.snapshot.missedVenue, isMain: region.isMain, session: session,
            awaited: region.awaitsChannel,
            absence: region.player.current.flatMap { health.snapshot.absences[$0.id] })
    }
}
