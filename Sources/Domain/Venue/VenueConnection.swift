// SPDX-License-Identifier: Apache-2.0
import JSON

/// Whether the box is where its licence is for (SVM-98, 99): licensed announcements of its venue are heard.
public struct VenueConnection: Hashable, Sendable {
    public var isConnectedToVenue: Bool

    public init(isConnectedToVenue: Bool) { self.isConnectedToVenue = isConnectedToVenue }

    public var json: JSONValue { ["isConnectedToVenue": .bool(isConnectedToVenue)] }
}
