// SPDX-License-Identifier: Apache-2.0
import Time

/// How one layout follows another (SVM-70).
public enum StageTransition: Hashable, Sendable {
    case cut
    case crossFade(Nanoseconds)
}
