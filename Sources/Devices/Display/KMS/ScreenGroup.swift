// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

/// One stage on every screen of a card, each in a mode of its own. The first that is on paces: its flips are waited for.
/// The others show what they can in the meantime, and skip what comes too early for them; when the first goes dark
/// another one paces.
/// - Thread: the render thread's alone.
final class ScreenGroup {
    private static let mostScreens = 8
    /// One whose flips do not come leaves pacing to the others for so long.
    private static let distrust = Nanoseconds.seconds(10)

    /// Of all of them.
    let canvas: ScreenCanvas
    let events = PageFlipEvents()
    private(set) var fault: DisplayError?
    private let request: ModeRequest
    /// By the kernel's name, the one to pace.
    private let preferred: String?
    private let clock: () -> Monotonic
    private let poll: (Bool) -> Void
    private var screens: [(name: String, driver: ScreenDriver)] = []
    private var pacing: ScreenDriver?
    private var device: (any KMSDevice)?
    private var content: FrameRate?
    private var areOthersShown = false
    /// Of finding a card.
    private var lastFailure: DisplayError?
    private var nextPoll: Monotonic

    /// - Parameters:
    ///   - preferred: the kernel's name of the connector whose screen paces while it is on; nil: the first.
    ///   - poll: as `ScreenDriver`'s.
    init(
        _ request: ModeRequest, preferred: String? = nil, clock: @escaping () -> Monotonic,
        poll: @escaping (_ probes: Bool) -> Void
    ) {
        canvas = ScreenCanvas(size: request.size, painter: nil)
        self.request = request
        self.preferred = preferred
        self.clock = clock
        self.poll = poll
        nextPoll = clock() + ScreenMachine.pollInterval
    }

    deinit { leave([]) }

    var mode: KMSMode? { pacing?.mode }
    var lastVBlank: Monotonic? { pacing?.lastVBlank }
    var expectedMode: KMSMode? { (pacing ?? screens.first?.driver)?.expectedMode }

    /// Of the one that paces, and its mirrors.
    var status: ScreenStatus {
        guard let main = pacing ?? screens.first?.driver else { return ScreenStatus() }
        var status = main.status
        status.mirrors = screens.compactMap { screen in
            guard screen.driver !== main else { return nil }
            var mirror = screen.driver.status
            mirror.connector = screen.name
            return mirror
        }
        return status
    }

    // MARK: Stage

    func present(now: Monotonic) -> Monotonic {
        let presented = canvas.present(now: now)
        choosePacing()
        areOthersShown = false
        let visible = pacing?.show()
        if !areOthersShown { showOthers() }
        for screen in screens where fault == nil { fault = screen.driver.fault }
        return visible ?? presented
    }

    private func showOthers() {
        areOthersShown = true
        for screen in screens where screen.driver !== pacing { _ = screen.driver.show() }
    }

    /// - Returns: when to be called again.
    func attend(now: Monotonic) -> Monotonic? {
        fault = nil
        var deadline: Monotonic?
        for screen in screens {
            if let due = screen.driver.attend(now: now) { deadline = min(deadline ?? due, due) }
        }
        choosePacing()
        guard screens.isEmpty else { return deadline }
        if nextPoll <= now {
            nextPoll = now + ScreenMachine.pollInterval
            poll(true)
        }
        return nextPoll
    }

    func follow(content rate: FrameRate?) {
        content = rate
        for screen in screens { screen.driver.follow(content: rate) }
    }

    private func choosePacing() {
        let now = clock()
        let chosen =
            (screens.first { $0.driver.isOn && $0.driver.lastStall.map { now - $0 > Self.distrust } ?? true }
            ?? screens.first { $0.driver.isOn })?.driver
        guard chosen !== pacing else { return }
        pacing?.paces = false
        pacing?.meanwhile = nil
        pacing = chosen
        chosen?.paces = true
        chosen?.meanwhile = { [unowned self] in showOthers() }
    }

    // MARK: News

    func take(_ news: CardWatch.News) {
        switch news {
        case .snapshot(let snapshot):
            lastFailure = nil
            if device !== snapshot.device {
                leave(.nonblocking)
                device = snapshot.device
            }
            adopt(snapshot)
        case .failure(let error):
            device = nil
            for screen in screens { screen.driver.take(news) }
            if screens.isEmpty, error != lastFailure { fault = error }
            lastFailure = error
        }
    }

    private func adopt(_ snapshot: CardSnapshot) {
        let usable = snapshot.connectors.filter { $0.isConnected && !$0.timings.isEmpty }
        for connector in usable where !screens.contains(where: { $0.name == connector.name }) {
            if screens.count < Self.mostScreens { add(connector.name) }
        }
        let wanted = screens.compactMap { screen in usable.first { $0.name == screen.name } }
        var kept: [UInt32: UInt32] = [:]
        for connector in wanted {
            let driver = screens.first { $0.name == connector.name }?.driver
            if let crtc = driver?.crtc { kept[connector.id] = crtc }
        }
        let assignment = CRTCAssignment(for: wanted, planes: snapshot.device.planes, kept: kept)
        var news: [(driver: ScreenDriver, snapshot: CardSnapshot, isFirst: Bool)] = []
        for screen in screens {
            var own = snapshot
            let pair = wanted.first { $0.name == screen.name }.flatMap { assignment.crtcAndPlane(for: $0) }
            own.planes = pair.map { [$0.plane] } ?? []
            var isMoved = false
            own.connectors = snapshot.connectors.map { connector in
                var seen = connector
                if connector.name == screen.name {
                    seen.crtcs = pair.map { [$0.crtc] } ?? []
                    if connector.crtc != pair?.crtc {
                        isMoved = connector.crtc != nil
                        seen.crtc = nil
                    }
                } else if assignment.crtcAndPlane(for: connector) != nil {
                    seen.crtc = nil  // it has its own, and another one sees to that
                }
                return seen
            }
            news.append((screen.driver, own, isMoved))
        }
        // What leaves a CRTC that another one gets leaves it before.
        for one in news.filter(\.isFirst) + news.filter({ !$0.isFirst }) { one.driver.take(.snapshot(one.snapshot)) }
    }

    private func add(_ name: String) {
        let driver = ScreenDriver(
            request, connector: name, in: (canvas, events), clock: clock,
            poll: { [unowned self] probes in
                // Displays are not asked while others show a picture: that may take a while.
                poll(probes && pacing == nil)
            })
        driver.paces = false
        driver.follow(content: content)
        let place = name == preferred ? 0 : screens.count
        screens.insert((name, driver), at: place)
    }

    private func leave(_ options: KMSCommit) {
        for screen in screens { screen.driver.giveBack(options) }
        device?.dropMaster()
    }
}
