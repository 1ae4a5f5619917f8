// SPDX-License-Identifier: Apache-2.0
import Time

extension PlaybackController {
    /// A seek fails if its picture has not come by then.
    private static let patience = Nanoseconds.seconds(5)

    mutating func seek(_ request: SeekRequest, ticket: Int, _ context: PlaybackContext) {
        guard let session = current else {
            return actions.append(.answer(ticket: ticket, .failure(.noSession)))
        }
        // A seek counts from the target of an unfinished one, so that pressing the key twice goes twice as far.
        let position = context.position ?? PlaybackPosition()
        let isLive = session.source.channel != nil
        let start = session.seek?.target ?? (isLive ? position.behindLive : position.progress)
        let end = isLive ? position.available : position.duration ?? .farthest
        let target = max(.zero, min(end, Self.target(of: request, from: start, isLive: isLive)))
        if let other = session.seek {
            actions.append(.answer(ticket: other.ticket, .failure(.interrupted)))
        } else if isLive, target == .zero, session.followsLive, !request.isShift || start == .zero {
            // Playback is at live already: the seek would bring no picture that does not come anyway.
            if session.hasStarted, session.state != .live { say(.live) }
            return actions.append(.answer(ticket: ticket, .success(.behindLive(.zero))))
        }
        if isLive ? target > start : target < start { say(.rewind) }
        current?.seekBegan(
            PlayingSession.PendingSeek(
                ticket: ticket, epoch: session.epoch + 1, target: target, deadline: context.now + Self.patience))
        let place =
            if case .shift(let step) = request { SeekTarget.shifted(step) } else {
                isLive ? SeekTarget.behindLive(target) : .position(target)
            }
        perform(.seek(place, epoch: session.epoch + 1))
    }

    /// The first picture of an epoch is on the screen, so that the seek of this epoch has ended.
    mutating func finishSeek(epoch: Int, _ context: PlaybackContext) {
        guard let session = current, let seek = session.seek, seek.epoch == epoch else { return }
        let isLive = session.source.channel != nil
        current?.seekEnded(isAtLive: isLive && seek.target == .zero && !session.isPaused)
        guard isLive else {
            return actions.append(
                .answer(ticket: seek.ticket, .success(.position(seek.found?.progress ?? seek.target))))
        }
        if seek.target == .zero { say(.live) }
        actions.append(.answer(ticket: seek.ticket, .success(.behindLive(seek.found?.behindLive ?? seek.target))))
    }

    /// The distance behind live, or from the beginning of a file; not clamped.
    private static func target(of request: SeekRequest, from start: Nanoseconds, isLive: Bool) -> Nanoseconds {
        switch request {
        case .absolute(let offset): offset
        case .relative(let step), .shift(let step): isLive ? start - step : start + step
        case .rewind(let span): isLive ? start + span.magnitude : start - span.magnitude
        }
    }
}

extension SeekRequest {
    /// Whether it has to lead just so far, as it is measured, and not to where a viewer takes for live.
    fileprivate var isShift: Bool { if case .shift = self { true } else { false } }
}

extension Nanoseconds {
    /// Ten years, which is longer than any file whose duration is not known.
    fileprivate static let farthest = Nanoseconds.seconds(315_360_000)
}
