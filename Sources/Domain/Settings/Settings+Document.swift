// SPDX-License-Identifier: Apache-2.0
import JSON

extension Settings {
    /// The document as it was written, valid or not. Partial ones are merged by `JSONValue.merging(patch:)`: absent is
    /// unchanged, null goes back to the default, arrays replace (SVM-22).
    public static func document(parsing text: [UInt8]) throws(SettingsError) -> JSONValue {
        do {
            return try JSONValue.parse(text, limits: JSONLimits(maximumOctets: 256 << 10))
        } catch {
            throw .malformed(error)
        }
    }

    public static func validate(document: JSONValue) throws(SettingsError) { _ = try effective(document) }

    /// The document with every default (SVM-20), secrets and all.
    public static func effective(_ document: JSONValue) throws(SettingsError) -> JSONValue {
        var problems: [SettingsProblem] = []
        root.check(document, at: "", isSecret: false, into: &problems)
        guard problems.isEmpty else { throw .invalid(Array(problems.prefix(20))) }
        let effective = root.completing(document)
        checkConsistency(SettingsReader(effective), into: &problems)
        guard problems.isEmpty else { throw .invalid(Array(problems.prefix(20))) }
        return effective
    }

    /// For whoever asks (SVM-20): the document or its effective form without its secrets.
    public static func redacted(_ document: JSONValue) -> JSONValue { root.redacting(document) }

    /// JSON Schema 2020-12 of the document: `config/settings.schema.json`.
    public static var jsonSchema: JSONValue {
        var schema = root.schema(orNull: false)
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        schema["$id"] = "urn:touchline:settings:1"
        schema["title"] = "Touchline settings, version 1"
        schema["description"] = "Absent fields keep their value, null goes back to the default, arrays replace."
        return .object(schema)
    }

    private static let root = SettingsType.group(fields)
}
