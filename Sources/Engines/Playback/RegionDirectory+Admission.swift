// SPDX-License-Identifier: Apache-2.0
import Venue

/// Whether sessions may be opened beside those that are open: by their number (SVM-42), by the nominal bit rates of their
/// channels (SVM-38), and by what the decoders take.
extension RegionDirectory {
    /// What was refused because a limit would have been exceeded.
    public struct Refusal: Hashable, Sendable {
        /// The name of a channel, a playlist or a layout.
        public let what: String
        /// nil if several regions are concerned, or one that is still to be made.
        public let region: String?
        public let why: String

        public init(_ what: String, in region: String?, why: String) {
            (self.what, self.region, self.why) = (what, region, why)
        }
    }

    /// Why the source cannot be played in the region; nil if it can. What plays there would make room for it.
    /// - Parameters:
    ///   - source: nil if it is not known.
    ///   - region: nil for a region that is still to be made.
    public func refusal(of source: SessionSource?, in region: RegionPlayer?) -> Status? {
        if region?.player.isOpen != true {
            guard environment.sessionCount() < sessionLimit else { return sessionLimitReached }
            if let refusal = decoderRefusal { return refusal }
        }
        return bandwidthRefusal(of: channels(beside: region) + (source?.channel.map { [$0] } ?? []))
    }

    /// Throws and tells why the source cannot be played in the region, if it cannot.
    /// - Parameter what: the name of what a person wants to play.
    public func admit(_ source: SessionSource?, called what: String, in region: RegionPlayer?) throws(Status) {
        guard let refusal = refusal(of: source, in: region) else { return }
        emitRefusal(Refusal(what, in: region?.name, why: refusal.errorString))
        throw refusal
    }

    /// Throws and tells why the channels cannot play at once, if they cannot.
    /// - Parameter what: the name of the layout or strategy that has them.
    public func admit(_ channels: [Channel], called what: String) throws(Status) {
        guard let refusal = bandwidthRefusal(of: channels) else { return }
        emitRefusal(Refusal(what, in: nil, why: refusal.errorString))
        throw refusal
    }

    /// Why the channels cannot play at once; nil if they can.
    public func bandwidthRefusal(of channels: [Channel]) -> Status? {
        let sum = Channel.bandwidthKbps(of: channels)
        guard let limit = bandwidthLimitKbps, sum > limit else { return nil }
        return .failure(
            .failed, "channels of \(sum) kbit/s would play: expected at most playback.bandwidthLimitKbps (\(limit))")
    }

    /// Why the session that a controller wants to open cannot be opened; nil if it can.
    func refusal(ofOpening session: PlayingSession, in region: RegionPlayer) -> String? {
        if let locked = lock() { return locked.errorString }
        guard environment.sessionCount() < sessionLimit else { return sessionLimitReached.errorString }
        if let channel = session.source.channel,
            let refusal = bandwidthRefusal(of: channels(beside: region) + [channel])
        {
            return refusal.errorString
        }
        return environment.refusal()
    }

    private func channels(beside region: RegionPlayer?) -> [Channel] {
        all.filter { $0 !== region }.compactMap { $0.player.current?.source.channel }
    }

    /// The failure when no further session may be opened.
    private var sessionLimitReached: Status {
        .failure(
            .failed,
            "\(environment.sessionCount()) sessions are open: expected fewer than playback.sessionLimit "
                + "(\(sessionLimit))")
    }

    /// The failure when all decoders are in use and nothing else may decode. A session that ends gives its decoder back
    /// a little later; the next one waits for it.
    private var decoderRefusal: Status? {
        let count = all.count { $0.player.current?.isSoundAlone == false }
        guard let limit = environment.decodedLimit(), count >= limit else { return nil }
        return .failure(
            .failed,
            "\(count) sessions have a decoder each: expected fewer than the decoders take (\(limit)), because "
                + "playback.decoding is hardware")
    }
}
