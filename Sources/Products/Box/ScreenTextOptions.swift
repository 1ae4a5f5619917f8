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
    /// The rules of a zone of tzdata, or of the machine's zone if the name is nil; UTC if they cannot be read.
    /// - Returns: the rules, and the reason if they could not be read. A machine that has no zone is in UTC without a
    ///   problem.
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
