// SPDX-License-Identifier: Apache-2.0
import Bytes
import Radio

extension RadioEvent {
    /// Reads a message that was sent to all who listen.
    /// - Returns: nil if it does not concern us, or has nothing of what its command is about.
    init?(_ command: WirelessCommand, from body: inout WireReader) throws(WireError) {
        var whole = body
        let attributes = try EventAttributes(from: &body)
        let kind: Kind? =
            switch command {
            case .connect: attributes.connection
            case .disconnect: .disconnected(reason: attributes.reason, by: attributes.side)
            case .roam: .roamed
            case .newStation: .stationAppeared
            case .deleteStation: .stationGone
            case .triggerScan: .scanStarted
            case .newScanResults: .scanEnded
            case .scanAborted: .scanAborted
            case .channelSwitch: attributes.channel.channel.map { .channelSwitched($0) }
            // A radio may be named that has asked for the change; the domain is that of all radios nevertheless.
            case .regulatoryChange: .regulatoryChanged(attributes.domain(of: nil))
            case .wiphyRegulatoryChange: .regulatoryChanged(attributes.domain(of: attributes.wiphy))
            case .notifyQuality: attributes.quality
            case .newInterface: .interfaceAppeared(try RadioInterface(from: &whole))
            case .setInterface: .interfaceChanged(try RadioInterface(from: &whole))
            case .deleteInterface: .interfaceGone(try RadioInterface(from: &whole))
            case .getInterface, .getStation, .getRegulatoryDomain, .getScan, .getSurvey, .newSurveyResults: nil
            }
        guard let kind else { return nil }
        self.init(kind, interface: attributes.interface, address: attributes.address)
    }
}
