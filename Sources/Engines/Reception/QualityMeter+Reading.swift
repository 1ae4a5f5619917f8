// SPDX-License-Identifier: Apache-2.0
import Venue

extension QualityMeter.Reading {
    init(_ feed: inout StreamFeed) {
        faults = feed.faults
        overdue = feed.overdue
        worstPCR = feed.takeWorstPCR()
        isConstantRate = feed.isConstantRate
    }

    /// Adds the counts of one of the channel's media.
    mutating func add(_ flow: RTPFlow?, _ datagrams: DatagramCounter?) {
        if let datagrams { octets += datagrams.counters.octets }
        guard let flow else { return }
        let counters = flow.counters
        faults[.lostToKernel] += counters.lostToKernel
        faults[.lostToNetwork] += counters.lostToNetwork
        packets += flow.passed
        jitter = max(jitter, flow.jitter.mean)
        peakJitter = max(peakJitter, flow.takePeakJitter())
    }
}
