// SPDX-License-Identifier: Apache-2.0
import Glibc

extension DisplayError {
    /// Whether the card has gone.
    var isOfLostCard: Bool {
        if case .kms(_, let code) = self { [ENODEV, ENXIO, EBADF].contains(code) } else { false }
    }

    /// Whether the card is busy with an earlier commit and would accept this one later.
    var isOfBusyCard: Bool { if case .kms(_, EBUSY) = self { true } else { false } }
}
