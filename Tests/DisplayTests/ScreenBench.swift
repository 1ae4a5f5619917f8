// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

@testable import Display

/// A driver on a fake card: pictures with numbers, looks that take their time, a kernel that tells, and when what was
/// presented is to be seen.
final class ScreenBench {
    static let probeSpan = Nanoseconds.milliseconds(35)

    let card: FakeCard
    /// Of one whose pictures are painted.
    let painter: FakePainter?
    private(set) var driver: ScreenDriver?
    /// Pictures come; else the last one stays.
    var isPlaying = true
    /// Pictures are of this size and matrix, to be shown by themselves over the whole stage; nil: they are composed.
    var video: (size: PixelSize, matrix: VideoFrame.Matrix)?
    /// Whose memory they lie in; nil: the processor's alone.
    var lender: Lender?
    /// Times that nothing was seen where pictures were.
    private(set) var blacks = 0
    /// Times that a canvas was composed.
    private(set) var canvases = 0
    private let clock: FakeCard.Clock
    private let requests = Requests()
    private var looks: [(at: Monotonic, isHotplug: Bool)] = []
    private var nextPicture: Monotonic
    private(set) var serial = 0
    /// That the driver kept its caller.
    var longestCall = Nanoseconds.zero
    private var lastSeen: (serial: Int, at: Monotonic)?

    /// Of the stage, that a video covers.
    private var area: PixelRectangle?

    private final class Requests { var count = 0 }

    init(
        _ display: FakeCard.Display? = .television, size: PixelSize = PixelSize(width: 192, height: 108),
        mounting: ScreenMounting = ScreenMounting(), pin: ModePin? = nil, connector: String? = nil,
        prepare: (FakeCard) -> Void = { _ in },
        painting: ((FakePainter, FakeCard) -> Void)? = nil
    ) {
        let clock = FakeCard.Clock()
        self.clock = clock
        card = FakeCard(clock)
        card[50] = display
        painter = painting == nil ? nil : FakePainter(card)
        prepare(card)
        if let painter { painting?(painter, card) }
        nextPicture = clock.now
        let requests = requests
        let driver = ScreenDriver(
            ModeRequest(size: size, mounting: mounting, pin: pin), connector: connector, painter: painter,
            clock: { clock.now }, poll: { _ in requests.count += 1 })
        self.driver = driver
        look(isHotplug: false)
        while !card.isGone, display != nil, driver.status.connector == nil,
            clock.now < Monotonic(nanoseconds: 1_010_000_000_000)
        {
            step()
        }
    }

    var now: Monotonic { clock.now }
    var counters: ScreenCounters { driver?.status.counters ?? ScreenCounters() }

    /// The kernel tells of a change.
    func tell() { looks.append((clock.now + Self.probeSpan, true)) }

    func run(for span: Nanoseconds) {
        let end = clock.now + span
        while clock.now < end { step() }
    }

    /// From now until a picture is seen that was presented later, or the last one.
    /// - Returns: nil when that takes longer than `limit`.
    func timeToPicture(within limit: Nanoseconds = .seconds(10)) -> Nanoseconds? {
        let (start, oldest) = (clock.now, isPlaying ? serial + 1 : serial)
        while clock.now - start <= limit {
            step()
            guard let lastSeen, lastSeen.serial >= oldest, lastSeen.at > start else { continue }
            run(for: .milliseconds(6))  // the driver hears of it
            return lastSeen.at - start
        }
        return nil
    }

    /// The number of the picture that people see.
    var seen: Int? { card.picture.map { Int($0[0]) | Int($0[1]) << 8 | Int($0[2]) << 16 } }

    private func note(_ seen: Int) {
        if seen == 0, lastSeen != nil { blacks += 1 }
        lastSeen = (seen, clock.now)
    }

    /// The driver gives the card back.
    func end() { driver = nil }

    private func look(isHotplug: Bool) {
        do throws(DisplayError) {
            driver?.take(
                .snapshot(
                    CardSnapshot(
                        device: card, connectors: try card.readConnectors(probes: true), isHotplug: isHotplug)))
        } catch {
            driver?.take(.failure(error))
        }
    }

    /// As the render loop.
    private func present(_ serial: Int, on driver: ScreenDriver) {
        let before = area
        area = nil
        if let video {
            let picture = picture(serial, video.size, video.matrix)
            area = driver.show(
                picture, isNew: true, crop: PixelRectangle(x: 0, y: 0, size: video.size),
                at: PixelRectangle(x: 0, y: 0, size: driver.size))
        } else {
            driver.hideVideo()
        }
        if area == nil || area != before { compose(serial, on: driver) }
        _ = driver.present(now: clock.now)
        guard driver.lacksVideo else { return }
        driver.hideVideo()
        area = nil
        compose(serial, on: driver)
        _ = driver.present(now: clock.now)
    }

    private func picture(_ serial: Int, _ size: PixelSize, _ matrix: VideoFrame.Matrix) -> VideoFrame {
        if let lent = lender?.picture(serial, size, matrix) { return lent }
        return TestPicture.numbered(serial, size, matrix)
    }

    private func compose(_ serial: Int, on driver: ScreenDriver) {
        let shown = area == nil ? serial : 0
        canvases += 1
        let picture = CanvasBuffer(width: driver.size.width, height: driver.size.height)
        picture.fill(
            blue: UInt8(truncatingIfNeeded: shown), green: UInt8(truncatingIfNeeded: shown >> 8),
            red: UInt8(truncatingIfNeeded: shown >> 16))
        driver.compose { if painter?.compose(picture) != true { picture.copyTo($0) } }
    }

    /// The next thing that happens.
    private func step() {
        guard let driver else { return }
        let start = clock.now
        var returned: Monotonic?
        defer { longestCall = max(longestCall, (returned ?? start) - start) }
        let due = looks.first { $0.at <= clock.now }
        looks.removeAll { $0.at <= clock.now }
        if let due { look(isHotplug: due.isHotplug) }
        let deadline = driver.attend(now: clock.now)
        if driver.lacksVideo { present(serial, on: driver) }
        if let seen { note(seen) }
        let looked = clock.now
        if isPlaying, nextPicture <= clock.now {
            serial += 1
            present(serial, on: driver)
            nextPicture += FakeCard.frameSpan
        }
        while requests.count > 0 {
            requests.count -= 1
            looks.append((clock.now + Self.probeSpan, false))
        }
        // What was there before the present, which may have waited, is not new.
        if let seen, lastSeen?.serial != seen || lastSeen?.at != looked { note(seen) }
        returned = clock.now
        if !isPlaying { nextPicture = clock.now + FakeCard.frameSpan }
        // As the render loop: at the next picture, when the driver wants, or half a second on.
        let others = looks.map(\.at) + [isPlaying ? nextPicture : clock.now + .milliseconds(500)]
        let next = others.reduce(deadline ?? .init(nanoseconds: .max), min)
        clock.now = max(clock.now + .milliseconds(1), next)
    }
}
