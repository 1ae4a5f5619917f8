// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

extension ValueKind {
    /// Checks a whole document of this kind and adds its defaults.
    /// - Parameter checkConsistency: adds problems between fields that are each valid by themselves.
    public func effective(
        _ document: JSONValue, checkConsistency: (SettingsReader, inout [Problem]) -> Void
    ) throws(SettingsError) -> JSONValue {
        var problems = problems(of: document)
        guard problems.isEmpty else { throw .invalid(Array(problems.prefix(20))) }
        let effective = completing(document)
        checkConsistency(SettingsReader(effective), &problems)
        guard problems.isEmpty else { throw .invalid(Array(problems.prefix(20))) }
        return effective
    }
}
