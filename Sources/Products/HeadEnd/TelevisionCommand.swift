// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Time

/// What somebody does with the remote control of a test television.
enum TelevisionCommand: Equatable {
    case speed(Double)
    /// Ticks of the timeline.
    case seek(Int64)
    case step(Nanoseconds)
    case available(Bool)
    case enabled(Bool)
    case content(String)
    case status(PresentationStatus)
    case quit

    static let expectation = """
        pause, play, speed -1000...1000, seek TICKS, step MS, unavailable, available, disable, enable, content ID, \
        status okay|transitioning|fault or quit
        """

    /// nil for a line that is no command.
    init?(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        switch (words.first, words.dropFirst().first, words.count) {
        case ("pause", nil, 1): self = .speed(0)
        case ("play", nil, 1): self = .speed(1)
        case ("unavailable", nil, 1): self = .available(false)
        case ("available", nil, 1): self = .available(true)
        case ("disable", nil, 1): self = .enabled(false)
        case ("enable", nil, 1): self = .enabled(true)
        case ("quit", nil, 1): self = .quit
        case ("content", let id?, 2): self = .content(id)
        case ("speed", let text?, 2):
            guard let speed = Double(text), speed.magnitude <= ControlTimestamp.mostSpeed else { return nil }
            self = .speed(speed)
        case ("seek", let text?, 2):
            guard let ticks = Int64(text) else { return nil }
            self = .seek(ticks)
        case ("step", let text?, 2):
            guard let span = Int64(text), span.magnitude <= 86_400_000 else { return nil }
            self = .step(.milliseconds(span))
        case ("status", let text?, 2):
            guard let status = PresentationStatus(text) else { return nil }
            self = .status(status)
        default: return nil
        }
    }
}
