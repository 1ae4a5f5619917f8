// SPDX-License-Identifier: Apache-2.0
import Commands
import Settings

extension Box {
    /// Everything that a box can be asked and set to.
    public static let catalogue = Catalogue(CommandDescription.all, settings: Settings.fields)
}
