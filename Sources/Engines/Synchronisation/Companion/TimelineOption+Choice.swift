// SPDX-License-Identifier: Apache-2.0
import CompanionScreens

extension TimelineOption {
    /// The timeline to follow, by preference (CSS-28).
    /// - Parameters:
    ///   - preferred: the best first; empty for the first one that is offered.
    ///   - offered: nil if nothing is known of what is offered: a preferred one that tells its own tick rate will do.
    /// - Returns: nil if none will do.
    static func choice(of preferred: [TimelineSelector], among offered: [TimelineOption]?) -> TimelineOption? {
        guard let offered else {
            for selector in preferred {
                if let rate = selector.tickRate { return TimelineOption(selector, TimelineProperties(rate)) }
            }
            return nil
        }
        guard !preferred.isEmpty else { return offered.first?.corrected }
        for selector in preferred {
            if let option = offered.first(where: { $0.selector == selector }) { return option.corrected }
        }
        return nil
    }

    /// With the tick rate that the selector tells, if it does: a television may state another one, but not mean it.
    private var corrected: TimelineOption {
        guard let rate = selector.tickRate else { return self }
        return TimelineOption(
            selector, TimelineProperties(unitsPerSecond: rate.ticksPerSecond, accuracy: properties.accuracy),
            privateData: privateData)
    }
}
