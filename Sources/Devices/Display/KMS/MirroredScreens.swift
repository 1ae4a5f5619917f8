// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

/// One stage on all screens of a card, each in a mode of its own. The first screen that is on leads: presenting waits
/// for its flips. The others show what they can and skip pictures that come too early for them. When the leader goes
/// dark, another screen leads.
/// - Thread: the render thread only.
final class MirroredScreens: CardOutput {
    private static let mostScreens = 8
    /// How long a screen does not lead after one of its flips did not come in time.
    private static let distrust = Nanoseconds.seconds(10)

    let size: PixelSize
    private(set) var fault: DisplayError?
    private let canvas: ScreenCanvas
    private let events = PageFlipEvents()
    private let request: ModeRequest
    /// The kernel's name of the connector whose screen leads while it is on; nil prefers the first.
    private let preferred: String?
    private let clock: () -> Monotonic
    private let poll: (Bool) -> Void
    private var screens: [(name: String, driver: ScreenDriver)] = []
    private var leader: ScreenDriver?
    private var device: (any KMSDevice)?
    private var content: FrameRate?
    private var areOthersShown = false
    /// The last failure to find a card; equal failures in a row are reported once.
    private var lastFailure: DisplayError?
    private var nextPoll: Monotonic

    /// - Parameters:
    ///   - preferred: the kernel's name of the connector whose screen leads while it is on; nil prefers the first.
    ///   - poll: as in `ScreenDriver`.
    init(
        _ request: ModeRequest, preferred: String? = nil, clock: @escaping () -> Monotonic,
        poll: @escaping (_ probes: Bool) -> Void
    ) {
        size = request.stage
        canvas = ScreenCanvas(request, painter: nil)
        self.request = request
        self.preferred = preferred
        self.clock = clock
        self.poll = poll
        nextPoll = clock() + ScreenMachine.pollInterval
    }

    deinit { leave([]) }

    var mode: KMSMode? { leader?.mode }
    var lastVBlank: Monotonic? { leader?.lastVBlank }
    var expectedMode: KMSMode? { (leader ?? screens.first?.driver)?.expectedMode }
    var screen: ScreenStatus? { status }

    /// The status of the leader, with the others as its mirrors.
    var status: ScreenStatus {
        guard let main = leader ?? screens.first?.driver else { return ScreenStatus() }
        var status = main.status
        status.mirrors = screens.compactMap { screen in
            guard screen.driver !== main else { return nil }
            var mirror = screen.driver.status
            mirror.connector = screen.name
            return mirror
        }
        return status
    }

    // MARK: The stage

    func compose<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) { try canvas.compose(for: nil, body) }

    func readFront<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) -> Bool { try canvas.readFront(body) }

    func present(now: Monotonic) -> Monotonic {
        let presented = canvas.present(now: now)
        chooseLeader()
        areOthersShown = false
        let visible = leader?.show()
        if !areOthersShown { showOthers() }
        for screen in screens where fault == nil { fault = screen.driver.fault }
        return visible ?? presented
    }

    private func showOthers() {
        areOthersShown = true
        for screen in screens where screen.driver !== leader { _ = screen.driver.show() }
    }

    func attend(now: Monotonic) -> Monotonic? {
        fault = nil
        var deadline: Monotonic?
        for screen in screens {
            if let due = screen.driver.attend(now: now) { deadline = min(deadline ?? due, due) }
        }
        chooseLeader()
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

    private func chooseLeader() {
        let now = clock()
        let chosen =
            (screens.first { $0.driver.isOn && $0.driver.flips.lastStall.map { now - $0 > Self.distrust } ?? true }
            ?? screens.first { $0.driver.isOn })?.driver
        guard chosen !== leader else { return }
        leader?.pacing = ScreenPacing(role: .following)
        leader = chosen
        chosen?.pacing = ScreenPacing(role: .leading) { [unowned self] in showOthers() }
    }

    // MARK: The card

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

    /// Gives each screen a CRTC and a primary plane of the card.
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
        var news: [(driver: ScreenDriver, snapshot: CardSnapshot, leavesCRTC: Bool)] = []
        for screen in screens {
            let pair = wanted.first { $0.name == screen.name }.flatMap { assignment.crtcAndPlane(for: $0) }
            let (own, leavesCRTC) = Self.part(of: snapshot, for: screen.name, pair, assignment)
            news.append((screen.driver, own, leavesCRTC))
        }
        // A screen leaves its CRTC before another screen gets it.
        for one in news.filter(\.leavesCRTC) + news.filter({ !$0.leavesCRTC }) {
            one.driver.take(.snapshot(one.snapshot))
        }
        dropScreens(besides: Set(snapshot.connectors.map(\.name)))
    }

    /// Forgets screens whose connectors the card has no more, once they are switched off. A hub's connectors have other
    /// names each time that it is plugged in.
    private func dropScreens(besides present: Set<String>) {
        screens.removeAll { screen in
            guard !present.contains(screen.name), screen.driver.isReleased else { return false }
            screen.driver.forget()  // what the CRTC showed before belongs to whoever drives it now
            return true
        }
        chooseLeader()
    }

    /// - Parameter pair: CRTC and plane of the screen; nil if none is left for it.
    /// - Returns: the part of the card that this connector's screen sees, and whether another CRTC drives the connector
    ///   now.
    private static func part(
        of snapshot: CardSnapshot, for name: String, _ pair: CRTCAssignment.Pair?, _ assignment: CRTCAssignment
    ) -> (CardSnapshot, leavesCRTC: Bool) {
        var own = snapshot
        own.planes = pair.map { [$0.plane] } ?? []
        var leavesCRTC = false
        own.connectors = snapshot.connectors.map { connector in
            var seen = connector
            if connector.name == name {
                seen.crtcs = pair.map { [$0.crtc] } ?? []
                if connector.crtc != pair?.crtc {
                    leavesCRTC = connector.crtc != nil
                    seen.crtc = nil
                }
            } else if assignment.crtcAndPlane(for: connector) != nil {
                seen.crtc = nil  // the connector's own screen moves it to its CRTC
            }
            return seen
        }
        return (own, leavesCRTC)
    }

    private func add(_ name: String) {
        let driver = ScreenDriver(
            request, connector: name, in: (canvas, events), clock: clock,
            poll: { [unowned self] probes in
                // Displays are not probed while another screen shows a picture, because probing may take a while.
                poll(probes && leader == nil)
            })
        driver.follow(content: content)
        let place = name == preferred ? 0 : screens.count
        screens.insert((name, driver), at: place)
    }

    private func leave(_ options: KMSCommit) {
        for screen in screens { screen.driver.giveBack(options) }
        device?.dropMaster()
    }
}
