// SPDX-License-Identifier: Apache-2.0

/// The sound of each region of the stage and of the mix of all regions, which all parts of the box read.
/// - Thread: the control loop's only.
public final class RegionSounds {
    public private(set) var mix: RegionSound
    /// Called with each region that is heard differently now, in the order of the stage.
    public var regionChanged: (_ region: String, RegionSound) -> Void = { _, _ in }
    public var mixChanged: (RegionSound) -> Void = { _ in }
    /// The region that is heard unless a command says otherwise.
    private let main: String
    private var regions: [String]
    /// The sound of the regions that a command has changed.
    private var own: [String: RegionSound] = [:]
    /// The only region that is heard; nil if each region has its own sound.
    private var alone: String?

    /// - Parameter main: the region that is always there. It is heard at first, and other regions are muted.
    public init(mix: RegionSound, main: String) {
        self.mix = mix
        self.main = main
        regions = [main]
    }

    /// The region's own sound, whether or not another region is heard alone.
    public func own(of region: String) -> RegionSound { own[region] ?? RegionSound(isMuted: region != main) }

    /// The region's own sound, unless one region is heard alone.
    public func heard(in region: String) -> RegionSound {
        var sound = own(of: region)
        if let alone { sound.isMuted = region != alone }
        return sound
    }

    // MARK: Changes

    /// - Returns: the region's own sound after the change.
    @discardableResult
    public func change(_ region: String, _ change: (inout RegionSound) -> Void) -> RegionSound {
        let before = own(of: region)
        var after = before
        change(&after)
        own[region] = after
        if after != before { regionChanged(region, heard(in: region)) }
        return after
    }

    public func changeMix(_ change: (inout RegionSound) -> Void) {
        let before = mix
        change(&mix)
        if mix != before { mixChanged(mix) }
    }

    /// Unmutes the region and mutes all others.
    public func hearOnly(_ region: String) -> RegionSound {
        for other in regions where other != region { change(other) { $0.isMuted = true } }
        return change(region) { $0.isMuted = false }
    }

    /// Sets the regions of the stage. The sound of regions that leave is forgotten. If every region is muted because an
    /// audible one has left, `main` is unmuted.
    /// - Parameter alone: the only region that is heard; nil if each region has its own sound.
    public func arrange(_ regions: [String], alone: String?) {
        let before = self.regions.map { (region: $0, sound: heard(in: $0)) }
        let losesSound = self.regions.contains { !regions.contains($0) && !own(of: $0).isMuted }
        own = own.filter { regions.contains($0.key) }
        self.regions = regions
        self.alone = alone
        if losesSound, regions.allSatisfy({ own(of: $0).isMuted }) { own[main]?.isMuted = false }
        for (region, sound) in before where regions.contains(region) {
            let now = heard(in: region)
            if now != sound { regionChanged(region, now) }
        }
    }
}
