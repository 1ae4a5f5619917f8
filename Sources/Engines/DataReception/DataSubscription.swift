// SPDX-License-Identifier: Apache-2.0
import Venue

/// What an observer subscribes to: one data channel, or whichever channel has a name, now or later (SVM-43…46).
public enum DataSubscription: Hashable, Sendable {
    case channel(Channel.ID)
    case name(String)
}
