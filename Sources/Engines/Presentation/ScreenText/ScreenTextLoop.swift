// SPDX-License-Identifier: Apache-2.0
import Time
import Typesetting

/// Keeps the stage's overlays as `ScreenText` decides, and typesets contents only when they have changed.
/// - Thread: the text thread.
final class ScreenTextLoop {
    private var screen: ScreenText
    private var geometry: ScreenGeometry
    private var typesetter: OverlayTypesetter
    /// Whether what is shown was typeset for another geometry.
    private var isStale = false
    private let stage: (StageCommand) -> Bool
    private let failed: (TypesettingError) -> Void
    private var shown: [OverlayPlane: OverlayContent] = [:]
    private var ticker: TickerText?
    private(set) var counters = ScreenTextCounters()

    /// - Parameters:
    ///   - stage: posts a command; returns false if the stage refuses it.
    ///   - failed: called the first time that something cannot be drawn.
    init(
        _ policy: ScreenText.Policy, _ geometry: ScreenGeometry, stage: @escaping (StageCommand) -> Bool,
        failed: @escaping (TypesettingError) -> Void
    ) {
        screen = ScreenText(policy)
        self.geometry = geometry
        typesetter = OverlayTypesetter(geometry)
        self.stage = stage
        self.failed = failed
    }

    /// - Returns: when to call again if no input comes before; nil for no limit.
    func handle(_ inputs: [ScreenText.Input], now: Monotonic, wall: WallTime) -> Monotonic? {
        for input in inputs {
            switch input {
            case .options(let options): use(ScreenGeometry(stage: geometry.stage, options))
            case .stage(let size): use(geometry.moved(to: size))
            default: break
            }
            screen.handle(input, now: now)
        }
        let contents = screen.contents(now: now, wall: wall)
        var isWhole = true
        for plane in OverlayPlane.allCases
        where contents[plane] != shown[plane] || isStale && contents[plane] != nil {
            if show(contents[plane], on: plane) {
                shown[plane] = contents[plane]
            } else {
                isWhole = false
            }
        }
        if screen.ticker != ticker || isStale && ticker != nil {
            if run(screen.ticker) { ticker = screen.ticker } else { isWhole = false }
        }
        let next = screen.nextChange(after: now, wall: wall)
        guard !isWhole else {
            isStale = false
            return next
        }
        counters.refused += 1
        let again = now + .seconds(1)
        return min(next ?? again, again)
    }

    private func use(_ new: ScreenGeometry) {
        guard new != geometry else { return }
        geometry = new
        typesetter = OverlayTypesetter(new)
        isStale = true
    }

    /// - Returns: false if the stage refused it, so that it has to be tried again.
    private func show(_ content: OverlayContent?, on plane: OverlayPlane) -> Bool {
        guard let content else {
            counters.removals += 1
            return stage(.setOverlay(nil, plane))
        }
        do throws(TypesettingError) {
            let picture = try typesetter.picture(of: content)
            counters.typesettings += 1
            return stage(.setOverlay(picture, plane))
        } catch {
            fail(error)
            return true
        }
    }

    private func run(_ text: TickerText?) -> Bool {
        guard let text else { return stage(.setTicker(nil)) }
        do throws(TypesettingError) {
            let strip = try typesetter.strip(of: text)
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
