// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Synchronisation
import System
import Time
import Timelines

/// What is shown.
extension Sync {
    var report: SyncReport {
        let (reading, accuracy) = (link?.wallClock, session?.accuracy)
        let now = SystemClock.monotonic()
        return SyncReport(
            phase: link?.phase ?? .stopped, state: session?.state ?? .initialised,
            television: followed?.text, contentId: link?.information?.contentID,
            contentIdStatus: link?.information?.contentIDStatus?.rawValue,
            presentationStatus: link?.information?.presentationStatus?.text,
            selector: link?.timeline?.selector.text, position: position(at: now, by: reading?.clock),
            speed: link?.timeline.map { Double($0.correlation.speed.partsPerBillion) / 1e9 },
            dispersionUs: reading?.clock?.dispersion(at: now).microseconds,
            errorUs: accuracy?.error?.microseconds,
            boundUs: accuracy.flatMap { $0.error == nil ? nil : $0.bound.microseconds },
            ratePpm: Double(accuracy?.rate ?? 0) / 1_000, driftPpm: Double(accuracy?.drift ?? 0) / 1_000,
            jumps: Int(clamping: accuracy?.jumps ?? 0), calibrationMs: configuration.outputDelay.milliseconds,
            session: session?.id, served: leading?.url, followers: leading?.followers ?? 0, group: groupReport.name,
            groupRole: groupReport.role)
    }

    private func position(at now: Monotonic, by clock: SlewedWallClock?) -> Int64? {
        guard let clock else { return nil }
        return link?.timeline?.position(at: clock.wallClock(at: now))
    }
}

extension CompanionSettings {
    var text: String {
        switch television {
        case .described(let url, _, _): url.description
        case .stated(let stated): stated.tsURL.description
        }
    }
}
