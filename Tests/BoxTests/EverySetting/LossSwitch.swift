// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Whether a stream loses packets.
final class LossSwitch: Sendable {
    private let state = Mutex(true)

    var isOn: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
