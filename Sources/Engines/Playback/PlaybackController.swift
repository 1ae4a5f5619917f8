// SPDX-License-Identifier: Apache-2.0
import Venue

/// Which session plays, and the reference's events in their order (SVM-56, 80…86): open, play, stop, close.
///
/// A value: inputs in, actions out; the caller performs them in the order given.
public struct PlaybackController: Sendable {
    public enum Input: Sendable {
        case tune(Channel)
        case stop
        /// The stage presented a picture of a session for the first time.
        case firstPicturePresented(session: Int)
        /// The line-up no longer has the channel (SVM-87).
        case channelRemoved(Channel.ID)
        /// The session could not be opened.
        case openFailed(session: Int)
    }

    public enum Action: Equatable, Sendable {
        case openSession(Int, Channel)
        case closeSession(Int)
        case reportState(PlayerState, channelName: String)
        case reportChannelInvalid(channelName: String)
        case showSlate
    }

    public struct Current: Equatable, Sendable {
        public let session: Int
        public let channel: Channel
        public var isPlaying: Bool
    }

    public private(set) var current: Current?
    private var lastSession = 0

    public init() {}

    /// `isOpen` (SVM-72) and `isPlaying` (SVM-73).
    public var isOpen: Bool { current != nil }
    public var isPlaying: Bool { current?.isPlaying ?? false }

    public mutating func handle(_ input: Input) -> [Action] {
        switch input {
        case .tune(let channel):
            if current?.channel == channel { return [] }
            let closing = close()
            lastSession += 1
            current = Current(session: lastSession, channel: channel, isPlaying: false)
            return closing + [.reportState(.open, channelName: channel.name), .openSession(lastSession, channel)]
        case .stop:
            return current == nil ? [] : close() + [.showSlate]
        case .firstPicturePresented(let session):
            guard let playing = current, playing.session == session, !playing.isPlaying else { return [] }
            current?.isPlaying = true
            return [.reportState(.play, channelName: playing.channel.name)]
        case .channelRemoved(let id):
            guard let playing = current, playing.channel.id == id else { return [] }
            return [.reportChannelInvalid(channelName: playing.channel.name)] + close() + [.showSlate]
        case .openFailed(let session):
            guard current?.session == session else { return [] }
            return close() + [.showSlate]
        }
    }

    private mutating func close() -> [Action] {
        guard let closing = current else { return [] }
        current = nil
        return [
            .reportState(.stop, channelName: closing.channel.name), .closeSession(closing.session),
            .reportState(.close, channelName: closing.channel.name),
        ]
    }
}
