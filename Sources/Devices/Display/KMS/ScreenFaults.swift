// SPDX-License-Identifier: Apache-2.0

/// The failures of a screen since the last present.
struct ScreenFaults {
    /// Why the last present did not show what it should have; nil if it did.
    private(set) var reported: DisplayError?
    /// The failure since then, which the next present reports.
    var pending: DisplayError?
    /// The last failure to find a card. The search is repeated, and equal failures in a row are reported once.
    private var search: DisplayError?

    /// - Parameter trouble: a failure of the canvas, which takes precedence.
    mutating func report(_ trouble: DisplayError?) { (reported, pending) = (trouble ?? pending, nil) }

    mutating func searchFailed(_ error: DisplayError) {
        if error != search { pending = error }
        search = error
    }

    mutating func searchSucceeded() { search = nil }
}
