// SPDX-License-Identifier: Apache-2.0

/// How presenting waits for a screen's page flips.
struct ScreenPacing {
    enum Role {
        /// The stage's only screen. Presenting waits until its flip is done or lost.
        case alone
        /// The screen that paces several. Presenting waits a few frames for its flip.
        case leading
        /// Another screen leads. Presenting does not wait; a flip is handled when it is done.
        case following
    }

    var role: Role
    /// Work to do while waiting for a flip.
    var meanwhile: (() -> Void)?
}
