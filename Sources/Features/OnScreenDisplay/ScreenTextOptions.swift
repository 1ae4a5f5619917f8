// SPDX-License-Identifier: Apache-2.0
import Presentation
import Settings
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
        theme = text.theme
        direction =
            switch text.direction {
            case .auto: .auto
            case .leftToRight: .leftToRight
            case .rightToLeft: .rightToLeft
            }
    }
}
