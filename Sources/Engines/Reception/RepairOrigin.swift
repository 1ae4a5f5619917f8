// SPDX-License-Identifier: Apache-2.0
import Venue

/// Whence a flow's repair is known.
enum RepairOrigin: Int64 {
    case none
    /// Announced, or written into the settings.
    case told
    /// Found beside the media.
    case found

    init(_ repair: Repair?) { self = repair.map { $0.isFound ? .found : .told } ?? .none }
}
