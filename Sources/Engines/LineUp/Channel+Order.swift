// SPDX-License-Identifier: Apache-2.0
import Venue

extension Channel {
    /// By session number, name and id: an order that does not depend on which was heard first.
    static func precedes(_ left: Channel, _ right: Channel) -> Bool {
        (left.sessionNumber, left.name, left.id.text) < (right.sessionNumber, right.name, right.id.text)
    }
}
