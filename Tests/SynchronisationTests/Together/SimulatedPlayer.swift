// SPDX-License-Identifier: Apache-2.0
import Media
import Time
import Timelines

@testable import Playback
@testable import Synchronisation

/// What the receive thread and the read thread of a box do: media times of pictures by the clock of the stream, and the
/// playback clock, which is steered, put off and moved by seeks. Instants are of the box's clock.
struct SimulatedPlayer {
    /// From the arrival of the last octet of a picture until it can be shown.
    private static let decoding = Nanoseconds.milliseconds(50)
    /// How long a seek takes until its picture is on the screen.
    static let seekTakes = Nanoseconds.milliseconds(250)
    /// The reader is so far ahead of what is presented.
    private static let readAhead = Nanoseconds.milliseconds(300)
    private static let lead = Nanoseconds.seconds(1)

    private var stream = StreamClock()
    private(set) var control: PlaybackClockControl
    /// Of the first picture that is heard of.
    private var first: Int?
    /// Media time minus time stamp of each picture since the first.
    private var offsets: [Nanoseconds] = []
    /// When each can be shown.
    private var ready: [Monotonic] = []
    /// The first random-access point.
    private(set) var point: Int?
    /// The picture that is shown next; nil before the first has been.
    private(set) var next: Int?
    private(set) var position = PlaybackPosition()
    /// The number of the last seek, and when its first picture comes.
    private(set) var seek: (epoch: Int, arrives: Monotonic)?
    private(set) var epoch = 0

    init(delay: Nanoseconds) { control = PlaybackClockControl(playoutDelay: delay) }

    var hasStarted: Bool { next != nil }

    // MARK: The stream

    mutating func referenceReceived(_ pcr: UInt64, packet: Int, at now: Monotonic) {
        stream.referenceReceived(pcr: pcr, isDiscontinuity: false, packet: Int64(packet), at: now)
    }

    /// - Parameter isRepaired: the picture comes, but too late to say anything of the clock.
    mutating func pictureReceived(_ picture: Int, packet: Int, isRepaired: Bool, at now: Monotonic) {
        let ticks = SimulatedChannel.ticks(of: picture)
        if isRepaired {
            stream.packetsLost()
        } else {
            stream.unitCompleted(dts: UInt64(ticks), packet: Int64(packet), at: now)
        }
        guard let correlation = stream.correlation else { return }
        if first == nil { first = picture }
        offsets.append(correlation.offset)
        ready.append(now + Self.decoding)
        if point == nil, picture % SimulatedChannel.picturesToNextPoint == 0 { point = picture }
        turn(at: now)
    }

    /// The read thread turns once.
    mutating func turn(at now: Monotonic) {
        _ = control.advance(to: now)
        guard let first, let newest = offsets.last, let point else { return }
        let ahead = now + Self.readAhead - control.state.delay - newest
        let read = (Nanoseconds(ahead.nanoseconds) - SimulatedChannel.stamp(of: first)).count
        let index = max(0, min(offsets.count - 1, Int(read / SimulatedChannel.picture.count)))
        position.correlation = StreamCorrelation(offset: offsets[index])
        position.delay = control.state.delay
        position.behindLive = control.behindLive(at: now)
        if let oldest = mediaTime(of: point) {
            position.available = control.available(from: oldest + Self.lead, at: now)
        }
    }

    private func mediaTime(of picture: Int) -> Monotonic? {
        guard let first, offsets.indices.contains(picture - first) else { return nil }
        return Monotonic(nanoseconds: SimulatedChannel.stamp(of: picture).count) + offsets[picture - first]
    }

    /// When a place of the medium is due; nil if it has not come.
    /// - Parameter stamp: a time stamp, as a span.
    func due(_ stamp: Nanoseconds) -> Monotonic? {
        guard let first, let point, stamp >= SimulatedChannel.stamp(of: point) else { return nil }
        let index = Int((stamp - SimulatedChannel.stamp(of: first)).count / SimulatedChannel.picture.count)
        guard offsets.indices.contains(index) else { return nil }
        return Monotonic(nanoseconds: stamp.count) + offsets[index] + control.state.delay
    }

    // MARK: Commands

    mutating func steer(by rate: Int?, at now: Monotonic) {
        control.steer(by: rate, at: now)
    }

    mutating func putOff(by span: Nanoseconds, at now: Monotonic) {
        control.putOff(by: span, at: now)
        turn(at: now)
    }

    /// As `LiveReader` does.
    mutating func shift(by step: Nanoseconds, at now: Monotonic) {
        let wanted = now - control.mediaTime(at: now) - control.playoutDelay - step
        epoch += 1
        control.seek(behindLive: max(.zero, min(wanted, position.available)), epoch: epoch, at: now)
        seek = (epoch, now + Self.seekTakes)
        turn(at: now)
    }

    // MARK: Pictures

    /// The picture that is next, its media time and when it is due; nil while none can be shown.
    mutating func picture(at now: Monotonic) -> (picture: Int, time: Monotonic, due: Monotonic, isImmediate: Bool)? {
        if let seek {
            guard now >= seek.arrives, let next else { return nil }
            // What was due before is passed over.
            var target = next
            while let time = mediaTime(of: target), time + control.state.delay + SimulatedChannel.picture / 2 < now {
                target += 1
            }
            while target > (point ?? 0), let time = mediaTime(of: target - 1),
                time + control.state.delay + SimulatedChannel.picture / 2 >= now
            {
                target -= 1
            }
            self.next = target
        }
        guard let point, let first else { return nil }
        let picture = next ?? point
        guard ready.indices.contains(picture - first), ready[picture - first] <= now,
            let time = mediaTime(of: picture)
        else { return nil }
        return (picture, time, time + control.state.delay, next == nil || seek != nil)
    }

    /// - Returns: the number of the seek that has ended with it; nil if none has.
    mutating func shown(_ picture: Int) -> Int? {
        next = picture + 1
        defer { seek = nil }
        return seek?.epoch
    }
}
