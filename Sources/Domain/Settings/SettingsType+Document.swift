// SPDX-License-Identifier: Apache-2.0
import JSON

extension SettingsType {
    /// Checks a whole document of this type and fills in its defaults.
    /// - Parameter checkConsistency: adds what is wrong between fields that are each right by themselves.
    public func effective(
        _ document: JSONValue, checkConsistency: (SettingsReader, inout [SettingsProblem]) -> Void
    ) throws(SettingsError) -> JSONValue {
        var problems: [SettingsProblem] = []
        check(document, at: "", isSecret: false, into: &problems)
        guard problems.isEmpty else { throw .invalid(Array(problems.prefix(20))) }
        let effective = completing(document)
        checkConsistency(SettingsReader(effective), &problems)
        guard problems.isEmpty else { throw .invalid(Array(problems.prefix(20))) }
        return effective
    }

    /// JSON Schema 2020-12 of a document of this type.
    public func jsonSchema(id: String, title: String, description: String) -> JSONValue {
        var schema = schema(orNull: false)
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        schema["$id"] = .string(id)
        schema["title"] = .string(title)
        schema["description"] = .string(description)
        return .object(schema)
    }
}
