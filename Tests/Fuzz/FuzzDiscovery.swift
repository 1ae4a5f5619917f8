// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Markup

/// The input as a message of SSDP, which is written and read again as the same; as a URL; and as an XML document.
func fuzzDiscovery(_ bytes: UnsafeRawBufferPointer) {
    if let message = try? DiscoveryMessage(bytes) {  // refusing is an answer, here and below
        let again = message.octets.withUnsafeBytes { try? DiscoveryMessage($0) }
        precondition(again == message)
    }
    let plain = String(decoding: bytes, as: UTF8.self)
    if let url = HTTPURL(plain) { precondition(HTTPURL(url.description) == url) }
    if let root = try? MarkupElement(parsing: Array(bytes)) {
        precondition(!root.name.isEmpty && root.children.count < MarkupElement.mostElements)
    }
    // Any text can be written.
    let services = CompanionApplication(contentInformation: WebSocketURL(plain), userAgent: plain)
    let document = services.octets
    precondition(document.count > MarkupElement.longest || (try? MarkupElement(parsing: document)) != nil)
}
