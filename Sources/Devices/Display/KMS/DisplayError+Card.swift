// SPDX-License-Identifier: Apache-2.0
import Glibc

extension DisplayError {
    /// The card has gone.
    var isOfLostCard: Bool {
        if case .kms(_, let code) = self { [ENODEV, ENXIO, EBADF].contains(code) } else { false }
    }

    /// The card has not done with what it was given before, and will take the same later.
    var isOfBusyCard: Bool { if case .kms(_, EBUSY) = self { true } else { false } }
}
