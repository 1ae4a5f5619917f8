// SPDX-License-Identifier: Apache-2.0
import NetlinkMessages
import Network

/// The kernel's word on interfaces, and what is made of it.
func fuzzNetlink(_ bytes: UnsafeRawBufferPointer) {
    _ = try? LinkMessage.parse(bytes)  // refusing is an answer; only a trap is not
    _ = try? FamilyMessage.parse(bytes)  // as above
    _ = try? EthernetMessage.parse(bytes, family: 21)  // as above
    guard let messages = try? NetlinkMessage.parse(bytes) else { return }  // refusing is an answer; only a trap is not
    precondition(messages.count <= bytes.count / 16 + 1)
    var links = LinkState()
    for message in messages + messages { _ = links.apply(message) }
    links.readingBegan()
    for message in messages { _ = links.apply(message) }
    let ended = links.readingEnded()
    precondition(ended.count <= messages.count)
    for name in links.up { precondition(links.attachment(named: name) != nil || name.isEmpty) }
}
