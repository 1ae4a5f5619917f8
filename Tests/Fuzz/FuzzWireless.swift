// SPDX-License-Identifier: Apache-2.0
import NetlinkMessages
import Radio

/// The kernel's word on radios: as a datagram, and as a single message of either delivery.
func fuzzWireless(_ bytes: UnsafeRawBufferPointer) {
    // Refusing is an answer; only a trap is not.
    if let messages = try? WirelessMessage.parse(bytes, family: 28) {
        precondition(messages.count <= bytes.count / 16 + 1)
        for message in messages { check(message) }
    }
    for delivery in [WirelessMessage.Delivery.reply, .multicast] {
        if let message = try? WirelessMessage(bytes, delivery) { check(message) }  // as above
    }
}

private func check(_ message: WirelessMessage) {
    switch message {
    case .interface(let interface): check(interface)
    case .station(let figures):
        precondition(HardwareAddress(figures.address.description) == figures.address)
        precondition((figures.chainSignals?.count ?? 0) <= 16 && (figures.averageChainSignals?.count ?? 0) <= 16)
        precondition((figures.airtimeReceived ?? .zero) >= .zero && (figures.connected ?? .zero) >= .zero)
    case .survey(let survey): precondition((survey.active ?? .zero) >= .zero && (survey.busy ?? .zero) >= .zero)
    case .basicServiceSet(let network): precondition((network.ssid?.count ?? 0) <= 32)
    case .regulatoryDomain(let domain): precondition(domain.alpha2.utf8.count == 2)
    case .event(let event):
        switch event.kind {
        case .interfaceAppeared(let interface), .interfaceChanged(let interface), .interfaceGone(let interface):
            check(interface)
        case .disconnected(let reason, _): precondition(reason?.rawValue != 0)
        default: break
        }
    case .done, .failed, .other: break
    }
}

private func check(_ interface: RadioInterface) {
    precondition((interface.ssid?.count ?? 0) <= 32)
    precondition((1...233).contains(interface.channel?.number ?? 1))
}
