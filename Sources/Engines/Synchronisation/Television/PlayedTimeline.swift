// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Time

/// A timeline that is played at will: by a test television.
public struct PlayedTimeline: Hashable, Sendable {
    public let properties: TimelineProperties
    public private(set) var timestamp: ControlTimestamp
    public private(set) var isAvailable = true

    /// - Parameter position: ticks at the instant.
    public init(_ properties: TimelineProperties, at position: Int64, now: WallClockTime) {
        self.properties = properties
        timestamp = ControlTimestamp(
            wallClockTime: now, movement: ControlTimestamp.Movement(contentTime: position, speed: 1))
    }

    /// What companions are told.
    public func told(at now: WallClockTime) -> ControlTimestamp {
        isAvailable ? timestamp : ControlTimestamp(wallClockTime: now, movement: nil)
    }

    public func position(at now: WallClockTime) -> Int64 { timestamp.position(at: now, on: properties) ?? 0 }

    /// - Parameter speed: −1,000...1,000; 0 pauses.
    public mutating func play(at speed: Double, now: WallClockTime) { set(position(at: now), speed, now) }

    public mutating func seek(to position: Int64, now: WallClockTime) {
        set(position, timestamp.movement?.speed ?? 1, now)
    }

    /// Moves it by a span of the content; negative is back.
    public mutating func step(by span: Nanoseconds, now: WallClockTime) {
        let ticks = span.count / 1_000 * properties.unitsPerSecond / properties.unitsPerTick / 1_000_000
        seek(to: position(at: now) &+ ticks, now: now)
    }

    public mutating func setAvailable(_ isAvailable: Bool) { self.isAvailable = isAvailable }

    private mutating func set(_ position: Int64, _ speed: Double, _ now: WallClockTime) {
        timestamp = ControlTimestamp(
            wallClockTime: now, movement: ControlTimestamp.Movement(contentTime: position, speed: speed))
    }
}
