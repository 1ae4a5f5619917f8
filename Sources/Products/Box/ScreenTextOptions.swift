// SPDX-License-Identifier: Apache-2.0
import Presentation
import Settings
import System
import Time

extension ScreenTextEngine.Options {
    init(_ settings: Settings, zone: TimeZoneRules) {
        self.init()
        let text = settings.screenText
        policy.isEnabled = text.isEnabled
        policy.bannerSpan = text.bannerSpan
        policy.isDebug = text.strategy == .debug
        policy.zone = zone
        safeAreaPercent = text.safeAreaPercent
        direction =
            switch text.direction {
            case .auto: .auto
            case .leftToRight: .leftToRight
            case .rightToLeft: .rightToLeft
            }
    }
}

extension TimeZoneRules {
    /// Those of a name of tzdata, or of the machine; UTC when they cannot be had.
    /// - Returns: with why not; a machine without a zone of its own is in UTC and lacks nothing.
    static func installed(_ name: String?) -> (rules: TimeZoneRules, problem: String?) {
        let path = name.map { "/usr/share/zoneinfo/\($0)" } ?? "/etc/localtime"
        do {
            guard let octets = try DurableFile.read(path, limit: largestFile) else {
                return (.utc, name.map { "\($0): no such zone in /usr/share/zoneinfo: install tzdata" })
            }
            return (try TimeZoneRules(tzif: octets), nil)
        } catch {
            return (.utc, "\(path): \(error)")
        }
    }
}
