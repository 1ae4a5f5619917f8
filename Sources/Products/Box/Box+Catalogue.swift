// SPDX-License-Identifier: Apache-2.0
import Commands
import Decoders
import Hosting
import Logging
import Settings

extension Box {
    /// The commands, settings and events of a box.
    public static let catalogue: Catalogue = {
        let declared = FeatureDeclarations(features)
        return Catalogue(
            CommandDescription.all + declared.commands, settings: Settings.fields, events: declared.events)
    }()

    /// The features of a box, in the order of their creation.
    static var features: [any Feature.Type] { [Logging.self, Decoders.self] }
}
