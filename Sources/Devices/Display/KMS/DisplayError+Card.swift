// SPDX-License-Identifier: Apache-2.0
import Glibc

extension DisplayError {
    /// The card has gone.
    var isOfLostCard: Bool {
        if case .kms(_, let code) = self { [ENODEV, ENXIO, EBADF].contains(code) } else { false }
    }
}
