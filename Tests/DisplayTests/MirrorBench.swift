// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

@testable import Display

/// Several screens of a fake card that show the same pictures.
final class MirrorBench {
    let card: FakeCard
    private(set) var group: MirroredScreens?
    /// That the group kept its caller.
    var longestCall = Nanoseconds.zero
    private(set) var serial = 0
    private let clock: FakeCard.Clock
    private let requests = Requests()
    private var looks: [(at: Monotonic, isHotplug: Bool)] = []
    private var nextPicture: Monotonic

    private final class Requests { var count = 0 }

    init(
        _ displays: [UInt32: FakeCard.Display] = [50: .television, 51: .other], preferred: String? = nil,
        pin: ModePin? = nil, prepare: (FakeCard) -> Void = { _ in }
    ) {
        let clock = FakeCard.Clock()
        self.clock = clock
        card = FakeCard(clock)
        for (connector, display) in displays { card[connector] = display }
        prepare(card)
        nextPicture = clock.now
        let requests = requests
        group = MirroredScreens(
            ModeRequest(size: PixelSize(width: 192, height: 108), pin: pin), preferred: preferred, clock: { clock.now },
            poll: { _ in requests.count += 1 })
        look(isHotplug: false)
        run(for: .milliseconds(200))
        longestCall = .zero
    }

    var now: Monotonic { clock.now }
    var status: ScreenStatus { group?.status ?? ScreenStatus() }

    /// The kernel tells of a change.
    func tell() { looks.append((clock.now + ScreenBench.probeSpan, true)) }

    func run(for span: Nanoseconds, check: () -> Void = {}) {
        let end = clock.now + span
        while clock.now < end {
            step()
            check()
        }
    }

    /// How many pictures late what people see on it is; nil: nothing.
    func lag(_ connector: UInt32) -> Int? {
        card.picture(of: connector).map { serial - (Int($0[0]) | Int($0[1]) << 8 | Int($0[2]) << 16) }
    }

    func end() { group = nil }

    private func look(isHotplug: Bool) {
        do throws(DisplayError) {
            let connectors = try card.readConnectors(probes: true)
            group?.take(.snapshot(CardSnapshot(device: card, connectors: connectors, isHotplug: isHotplug)))
        } catch {
            group?.take(.failure(error))
        }
    }

    private func step() {
        guard let group else { return }
        let start = clock.now
        let due = looks.first { $0.at <= clock.now }
        looks.removeAll { $0.at <= clock.now }
        if let due { look(isHotplug: due.isHotplug) }
        let deadline = group.attend(now: clock.now)
        if nextPicture <= clock.now {
            serial += 1
            let serial = serial
            group.compose {
                $0.fill(
                    blue: UInt8(truncatingIfNeeded: serial), green: UInt8(truncatingIfNeeded: serial >> 8),
                    red: UInt8(truncatingIfNeeded: serial >> 16))
            }
            _ = group.present(now: clock.now)
            nextPicture = max(nextPicture + FakeCard.frameSpan, clock.now)
        }
        while requests.count > 0 {
            requests.count -= 1
            looks.append((clock.now + ScreenBench.probeSpan, false))
        }
        longestCall = max(longestCall, clock.now - start)
        let next = (looks.map(\.at) + [nextPicture]).reduce(deadline ?? .init(nanoseconds: .max), min)
        clock.now = max(clock.now + .milliseconds(1), next)
    }
}
