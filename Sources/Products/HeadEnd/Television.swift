// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Journal
import Synchronisation
import System
import Time
import Venue

/// A test television: it serves the timeline of a stream that the same program sends, as if it showed that stream.
/// - Thread: the head-end's loop.
final class Television {
    private let loop: EventLoop
    private let log = Journal().log(for: "television")
    private let services: CompanionServices
    private var timeline: PlayedTimeline
    private var information = ContentInformation()
    private var input: EventLoop.Watch?
    private var line: [UInt8] = []

    /// Octets of the longest command.
    private static let longestLine = 4 << 10

    /// - Parameter start: when the stream's time stamps are 0.
    init(_ options: TelevisionOptions, of start: Monotonic, loop: EventLoop) throws(SystemCallError) {
        self.loop = loop
        services = try CompanionServices(
            at: CompanionServices.Places(
                [options.address], port: options.port, wallClockPort: options.wallClockPort), loop: loop)
        let first = services.wallClock(at: start + options.delay)
        timeline = PlayedTimeline(TimelineProperties(.mpeg), at: 0, now: first)
        information.contentID = options.contentID
        information.contentIDStatus = .final
        information.presentationStatus = PresentationStatus(.okay)
        information.timelines = [TimelineOption(.pts, timeline.properties)]
        publish()
        input = try loop.watch(StandardInput.descriptor, for: .readable) { [unowned self] _ in read() }
        log(.notice, "companions are served", ["cii": services.informationURL?.description ?? ""])
    }

    func stop() {
        if let input { loop.unwatch(input) }
        input = nil
        services.stop()
    }

    private var now: WallClockTime { services.wallClock(at: SystemClock.monotonic()) }

    private func publish() {
        services.publish(
            information,
            PublishedTimelines(
                contentID: information.contentID,
                timelines: [.pts: PublishedTimelines.Timeline(timeline.properties, timeline.told(at: now))]))
    }

    // MARK: Commands

    private func read() {
        let octets = StandardInput.read()
        if octets.isEmpty, let input {
            loop.unwatch(input)
            self.input = nil
        }
        line += octets
        while let end = line.firstIndex(of: UInt8(ascii: "\n")) {
            let text = String(decoding: line[..<end], as: UTF8.self)
            line.removeSubrange(...end)
            guard let command = TelevisionCommand(text) else {
                log(.warning, "command refused", ["command": text, "expected": TelevisionCommand.expectation])
                continue
            }
            perform(command)
            log(.notice, "command obeyed", ["command": text, "position": timeline.position(at: now)])
        }
        if line.count > Self.longestLine { line = [] }
    }

    private func perform(_ command: TelevisionCommand) {
        switch command {
        case .speed(let speed): timeline.play(at: speed, now: now)
        case .seek(let ticks): timeline.seek(to: ticks, now: now)
        case .step(let span): timeline.step(by: span, now: now)
        case .available(let isAvailable): timeline.setAvailable(isAvailable)
        case .enabled(let isEnabled): services.setEnabled(isEnabled)
        case .content(let id): information.contentID = id
        case .status(let status): information.presentationStatus = status
        case .quit: loop.stop()
        }
        publish()
    }
}
