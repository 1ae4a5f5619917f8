// SPDX-License-Identifier: Apache-2.0

/// Whether presenting waits for a screen's page flips.
struct ScreenPacing {
    enum Role {
        /// The stage's only screen: it waits until the flip is lost.
        case alone
        /// The screen that several go by: it waits for a few frames.
        case leading
        /// Another screen leads: a flip is seen to when it is done.
        case following
    }

    var role: Role
    /// Work that can be done while a flip is waited for.
    var meanwhile: (() -> Void)?
}
