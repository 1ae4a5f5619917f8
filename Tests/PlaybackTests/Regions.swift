// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

@testable import Playback

/// A directory of regions under test, with media threads, stage and line-up that only write down what is asked of them.
final class Regions {
    let directory: RegionDirectory
    private(set) var now = Monotonic(nanoseconds: 1_000_000_000)
    /// Sessions that are open.
    private(set) var open: [Int] = []
    /// Names of sources that cannot be opened, and why.
    var failures: [String: String] = [:]
    /// The epoch of the sound that is heard, by session.
    var heard: [Int: Int] = [:]
    var refusal: String?
    private var timers: [(due: Monotonic, handler: () -> Void)] = []
    private var lines: [String] = []

    init(sessionLimit: Int = 4, _ change: (inout PlaybackPolicy) -> Void = { _ in }) {
        var policy = PlaybackPolicy()
        change(&policy)
        directory = RegionDirectory(policy, sessionLimit: sessionLimit)
        directory.environment = environment
        directory.setProvider(of: .multicast) { .live(Trace.channel($0.location)) }
        directory.setProvider(of: .file) { .file(path: $0.location) }
        directory.addConsumer(
            SessionConsumer(
                "written down",
                started: { [unowned self] session, region in write("started \(session.id) \(region.name)") },
                opening: { [unowned self] session, region in write("opening \(session.id) \(region.name)") },
                emitted: { [unowned self] event, region in
                    guard case .channelState(let state, let name) = event else { return }
                    write("\(region.name): \(name) \(state)")
                },
                ended: { [unowned self] session, region, _ in write("ended \(session.id) \(region.name)") }))
    }

    private var environment: RegionEnvironment {
        var environment = RegionEnvironment()
        environment.now = { [unowned self] in now }
        environment.after = { [unowned self] span, handler in timers.append((now + span, handler)) }
        environment.sessionCount = { [unowned self] in open.count }
        environment.refusal = { [unowned self] in refusal }
        environment.open = { [unowned self] session, region in
            if let why = failures[session.name] { return why }
            open.append(session.id)
            write("OPEN \(session.id) \(session.name) in \(region.name)")
            return nil
        }
        environment.perform = { [unowned self] session, command in write("perform \(session) \(command)") }
        environment.close = { [unowned self] session in
            open.removeAll { $0 == session }
            write("CLOSE \(session)")
        }
        environment.soundEpoch = { [unowned self] in heard[$0] }
        environment.showSlate = { [unowned self] region in write("SLATE \(region.name)") }
        return environment
    }

    func write(_ line: String) { lines.append(line) }

    /// What was done since the last time.
    var taken: [String] {
        defer { lines = [] }
        return lines
    }

    var timerCount: Int { timers.count }

    func pass(_ span: Nanoseconds) {
        now = now + span
        let due = timers.filter { $0.due <= now }
        timers.removeAll { $0.due <= now }
        for timer in due { timer.handler() }
    }

    @discardableResult func tune(_ name: String, in region: String = RegionPlayer.main) -> Int? {
        guard let player = directory[region] else { return nil }
        directory.control(.tune(Trace.channel(name)), in: player)
        return player.player.current?.id
    }

    /// Tunes the channel, whose first picture then comes.
    @discardableResult func plays(_ name: String, in region: String = RegionPlayer.main) -> Int? {
        guard let session = tune(name, in: region) else { return nil }
        directory.control(.report(.ready(session: session, duration: nil)), of: session)
        directory.control(.firstPicture(session: session, epoch: 0), of: session)
        _ = taken
        return session
    }

    /// Has regions of these names beside `main`.
    func arrange(_ names: String...) -> (joining: [String], leaving: [String]) {
        let change = directory.replace(with: names.map { ($0, nil) })
        return (change.joining.map(\.name), change.leaving.map(\.name))
    }
}
