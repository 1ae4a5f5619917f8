// SPDX-License-Identifier: Apache-2.0
import Venue

/// Data channels as a line-up lists them.
enum Listing {
    static func channel(_ id: String, _ name: String, port: UInt16 = 5_000) -> Channel {
        Channel(
            id: Channel.ID(id), kind: .data, name: name,
            transport: Transport(address: "239.1.1.1", port: port, encapsulation: .rtp(payloadType: 97)))
    }

    static func entry(_ id: String, _ name: String, port: UInt16 = 5_000, shown: String? = nil) -> ListedChannel {
        ListedChannel(
            id: Channel.ID(id), number: 1, name: shown ?? name, ownName: name, groups: [], isFavourite: false,
            isHidden: false, content: .channel(channel(id, name, port: port)))
    }
}
