// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

extension ValueKind {
    /// Checks a whole document of this kind and fills in its defaults.
    /// - Parameter checkConsistency: adds what is wrong between fields that are each right by themselves.
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
