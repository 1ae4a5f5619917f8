// SPDX-License-Identifier: Apache-2.0
import Settings
import Venue

extension SettingsStore {
    /// Adds a participant that accepts every valid change of a section that a feature declares.
    /// - Parameter apply: is called with the section to have from now on.
    public func follow<S: SettingsSection>(_ type: S.Type, _ apply: @escaping (S) -> Void) {
        attach([S.name]) { [unowned self] (next) throws(Status) in
            let (new, old) = (next[S.self], running[S.self])
            return Preparation(undo: { apply(old) }, commit: { () throws(Status) in apply(new) })
        }
    }

    /// Adds a participant that accepts every valid change of these sections.
    /// - Parameter apply: is called with the settings to have from now on, and those until now. It is called again, with
    ///   the two exchanged, if the change is undone.
    public func follow(_ sections: [String], _ apply: @escaping (_ new: Settings, _ old: Settings) -> Void) {
        attach(sections) { [unowned self] (next) throws(Status) in
            let (new, old) = (next.settings, running.settings)
            return Preparation(undo: { apply(old, new) }, commit: { () throws(Status) in apply(new, old) })
        }
    }
}
