// SPDX-License-Identifier: Apache-2.0
import Commands
import Decoders
import Hosting
import Logging
import Settings

extension Box {
    /// Everything that a box can be asked and set to.
    public static let catalogue: Catalogue = {
        let declared = FeatureDeclarations(features)
        return Catalogue(
            CommandDescription.all + declared.commands, settings: Settings.fields, events: declared.events)
    }()

    /// The features of a box, in the order in which they are made.
    static var features: [any Feature.Type] { [Logging.self, Decoders.self] }
}
