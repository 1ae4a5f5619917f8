// SPDX-License-Identifier: Apache-2.0
import Time

/// How one layout changes into the next (SVM-70).
public enum StageTransition: Hashable, Sendable {
    case cut
    case crossFade(Nanoseconds)
}
