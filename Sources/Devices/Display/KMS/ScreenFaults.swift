// SPDX-License-Identifier: Apache-2.0

/// What went wrong with a screen since the last present.
struct ScreenFaults {
    /// Why the last present did not show what it should have; nil if it did.
    private(set) var reported: DisplayError?
    /// What has happened since.
    var pending: DisplayError?
    /// The last failure to find a card. Finding one is tried again and again, and each failure is reported once.
    private var search: DisplayError?

    /// - Parameter trouble: of the canvas; it outweighs the screen's.
    mutating func report(_ trouble: DisplayError?) { (reported, pending) = (trouble ?? pending, nil) }

    mutating func searchFailed(_ error: DisplayError) {
        if error != search { pending = error }
        search = error
    }

    mutating func searchSucceeded() { search = nil }
}
