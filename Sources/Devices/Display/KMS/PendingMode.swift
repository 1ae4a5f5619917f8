// SPDX-License-Identifier: Apache-2.0

/// The setting of a mode that is begun, and not seen to be done.
struct PendingMode {
    let route: ScreenRoute
    let token: UInt64
    /// Of the mode; kept until then, for a card that looks at it later.
    let blob: UInt32
    let buffers: ScreenCanvas.Buffers
    /// Something newer was presented since.
    var isOutdated = false

    init(_ route: ScreenRoute, token: UInt64, blob: UInt32, buffers: ScreenCanvas.Buffers) {
        self.route = route
        self.token = token
        self.blob = blob
        self.buffers = buffers
    }

    /// Where another controller is left dark, it has an event of its own.
    func isMeant(by event: KMSFlip) -> Bool {
        event.token == token && (event.controller == 0 || event.controller == route.controller)
    }
}
