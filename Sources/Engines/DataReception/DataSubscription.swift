// SPDX-License-Identifier: Apache-2.0
import Venue

/// What somebody wants to hear: a data channel, or whichever has the name, now or later (SVM-43…46).
public enum DataSubscription: Hashable, Sendable {
    case channel(Channel.ID)
    case name(String)
}
