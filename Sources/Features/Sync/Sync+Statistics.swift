// SPDX-License-Identifier: Apache-2.0
import Statistics
import Synchronisation

/// What is counted of following and of being followed.
extension Sync {
    func attachStatistics() {
        let groups = [
            StatisticGroup("sync", SyncAccuracy.statistics) { [weak self] in self?.session?.accuracy },
            StatisticGroup("companion", CompanionSessionCounters.statistics) { [weak self] in self?.link?.counters },
            StatisticGroup("wallClock", WallClockRequesterCounters.statistics) { [weak self] in
                self?.link?.wallClock.requests
            },
            StatisticGroup("wallClockSocket", WallClockClientCounters.statistics) { [weak self] in
                self?.link?.wallClock.counters
            },
            StatisticGroup("informationServer", CIIServerCounters.statistics) { [weak self] in
                self?.leading?.services.informationCounters
            },
            StatisticGroup("timelineServer", TSServerCounters.statistics) { [weak self] in
                self?.leading?.services.timelineCounters
            },
            StatisticGroup("wallClockServer", WallClockResponderCounters.statistics) { [weak self] in
                self?.leading?.services.wallClockReading.requests
            },
            StatisticGroup("wallClockServerSockets", WallClockServerCounters.statistics) { [weak self] in
                self?.leading?.services.wallClockReading.counters
            },
            StatisticGroup("syncGroup", GroupCounters.statistics) { [weak self] in self?.group?.counters },
        ]
        for group in groups { context.statistics.attach(group) }
    }
}
