// SPDX-License-Identifier: Apache-2.0

/// Whether the box is in the venue of its licence (SVM-98, 99): it receives licensed announcements of that venue.
public struct VenueConnection: Hashable, Sendable {
    public var isConnectedToVenue: Bool

    public init(isConnectedToVenue: Bool) { self.isConnectedToVenue = isConnectedToVenue }
}
