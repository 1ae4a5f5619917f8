// SPDX-License-Identifier: Apache-2.0
import System

/// The kernel's word on a device, and what is made of it.
func fuzzUevent(_ bytes: UnsafeRawBufferPointer) {
    guard let event = try? Uevent(bytes) else { return }  // refusing is an answer; only a trap is not
    precondition(event.path.hasPrefix("/") && event.properties.count <= bytes.count / 3)
    precondition(event.properties.keys.allSatisfy { !$0.isEmpty })
    switch Hotplug(event) {
    case .screen(let card, let connector, let property):
        precondition(card.hasPrefix("dri/card") && connector != 0 && property != 0)
    case .graphicsCard(let card, _): precondition(card.hasPrefix("dri/card"))
    case .soundCard(let card, _): precondition((0...999).contains(card))
    case nil: break
    }
}
