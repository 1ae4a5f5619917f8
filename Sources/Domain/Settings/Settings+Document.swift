// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

extension Settings {
    /// The document as it was written, valid or not. Partial documents are merged by `JSONValue.merging(patch:)`: an
    /// absent field is unchanged, null restores the default, and arrays replace (SVM-22).
    public static func document(parsing text: [UInt8]) throws(SettingsError) -> JSONValue {
        do {
            return try JSONValue.parse(text, limits: JSONLimits(maximumOctets: 256 << 10))
        } catch {
            throw .malformed(error)
        }
    }

    /// The document completed with every default (SVM-20), including its secrets.
    public static func effective(_ document: JSONValue) throws(SettingsError) -> JSONValue {
        try root.effective(document) { checkConsistency($0, into: &$1) }
    }

    /// The document, or its effective form, without its secrets; this is what clients are given (SVM-20).
    public static func redacted(_ document: JSONValue) -> JSONValue { root.redacting(document) }

    /// JSON Schema 2020-12 of the document: `config/settings.schema.json`.
    /// - Parameter fields: `fields`, and those of the features.
    public static func jsonSchema(of fields: [FieldDescription]) -> JSONValue {
        ValueKind.record(fields).jsonSchema(
            id: "urn:touchline:settings:1", title: "Touchline settings, version 1",
            description:
                "An absent field keeps its value, null restores the default, and an array replaces the previous one.")
    }

    /// JSON Schema 2020-12 of one layout: `config/layout.schema.json`.
    public static var layoutSchema: JSONValue {
        ValueKind.record(layoutFields).jsonSchema(
            id: "urn:touchline:layout:1", title: "Touchline layout, version 1",
            description:
                "An element of the settings' layouts, and what the command layout prints of the one that is on.")
    }

    /// Violations of rules between fields, each of which is valid by itself.
    /// - Parameter effective: a document with all defaults.
    public static func problems(of effective: JSONValue) -> [Problem] {
        var problems: [Problem] = []
        checkConsistency(SettingsReader(effective), into: &problems)
        return problems
    }

    private static let root = ValueKind.record(fields)
}
