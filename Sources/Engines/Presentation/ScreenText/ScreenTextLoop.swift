// SPDX-License-Identifier: Apache-2.0
import Time
import Typesetting

/// Keeps the stage's overlays as `ScreenText` decides, and typesets contents only when they have changed.
/// - Thread: the text thread.
final class ScreenTextLoop {
    private var screen: ScreenText
    private var geometry: ScreenGeometry
    private let typesetter: OverlayTypesetter
    private let stage: (StageCommand) -> Bool
    private let failed: (any Error) -> Void
    private var shown: [OverlayPlane: Placed<OverlayContent>] = [:]
    private var ticker: Placed<TickerText>?
    /// Whether the stage has a logo for its slates, and whether it is to be given another one or none.
    private var (hasLogo, isLogoDue) = (false, false)
    /// Height of the banner that is shown; 0 for none.
    private var bannerHeight = 0
    private(set) var counters = ScreenTextCounters()

    /// What is shown, and the geometry that it was typeset for.
    private struct Placed<Content: Hashable>: Hashable {
        let content: Content
        let geometry: ScreenGeometry
    }

    /// - Parameters:
    ///   - stage: posts a command; returns false if the stage refuses it.
    ///   - failed: called the first time that a text cannot be drawn, and for each logo that cannot.
    init(
        _ policy: ScreenText.Policy, _ geometry: ScreenGeometry, stage: @escaping (StageCommand) -> Bool,
        failed: @escaping (any Error) -> Void
    ) {
        screen = ScreenText(policy)
        self.geometry = geometry
        self.stage = stage
        self.failed = failed
        typesetter = OverlayTypesetter(failed: failed)
    }

    /// - Returns: when to call again if no input comes before; nil for no limit.
    func handle(_ inputs: [ScreenText.Input], now: Monotonic, wall: WallTime) -> Monotonic? {
        for input in inputs {
            switch input {
            case .options(let options):
                geometry = ScreenGeometry(stage: geometry.stage, options)
                typesetter.forgetLogos()
                isLogoDue = hasLogo || options.theme.logo != nil
            case .stage(let size): geometry = geometry.moved(to: size)
            default: break
            }
            screen.handle(input, now: now)
        }
        let contents = screen.contents(now: now, wall: wall)
        var neighbours = ScreenGeometry.Neighbours(
            ticker: screen.ticker?.position, hasTransport: contents[.transport] != nil)
        var isWhole = giveLogo()
        // The banner before what makes room for it.
        for plane in [OverlayPlane.banner] + OverlayPlane.allCases.filter({ $0 != .banner }) {
            let placed = contents[plane].map {
                Placed(content: $0, geometry: geometry.relevant(to: plane, neighbours))
            }
            if placed != shown[plane] {
                if show(placed, on: plane) { shown[plane] = placed } else { isWhole = false }
            }
            if plane == .banner { neighbours.banner = bannerHeight }
        }
        let placed = screen.ticker.map { Placed(content: $0, geometry: geometry) }
        if placed != ticker {
            if run(placed) { ticker = placed } else { isWhole = false }
        }
        let next = screen.nextChange(after: now, wall: wall)
        guard !isWhole else { return next }
        counters.refused += 1
        let again = now + .seconds(1)
        return min(next ?? again, again)
    }

    /// Reads the file of the slates' logo here, so that the render thread need not.
    /// - Returns: false if the stage refused it, so that it has to be tried again.
    private func giveLogo() -> Bool {
        guard isLogoDue else { return true }
        let logo = geometry.theme.logo.flatMap { typesetter.logo($0) }
        guard stage(.setLogo(logo)) else { return false }
        (hasLogo, isLogoDue) = (logo != nil, false)
        return true
    }

    /// - Returns: false if the stage refused it, so that it has to be tried again.
    private func show(_ placed: Placed<OverlayContent>?, on plane: OverlayPlane) -> Bool {
        if plane == .banner { bannerHeight = 0 }
        guard let placed else {
            counters.removals += 1
            return stage(.setOverlay(nil, plane))
        }
        do throws(TypesettingError) {
            let picture = try typesetter.picture(of: placed.content, in: placed.geometry)
            if plane == .banner { bannerHeight = picture.canvas.height }
            counters.typesettings += 1
            return stage(.setOverlay(picture, plane))
        } catch {
            fail(error)
            return true
        }
    }

    private func run(_ placed: Placed<TickerText>?) -> Bool {
        guard let placed else { return stage(.setTicker(nil)) }
        do throws(TypesettingError) {
            let strip = try typesetter.strip(of: placed.content, in: placed.geometry)
            counters.typesettings += 1
            return stage(.setTicker(strip))
        } catch {
            fail(error)
            return true
        }
    }

    private func fail(_ error: TypesettingError) {
        if counters.drawErrors == 0 { failed(error) }
        counters.drawErrors += 1
    }
}
