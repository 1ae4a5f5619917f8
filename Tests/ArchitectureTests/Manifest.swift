// SPDX-License-Identifier: Apache-2.0

/// The part of `swift package dump-package` that the rules are about.
struct Manifest: Decodable {
    struct Target: Decodable {
        let name: String
        let path: String
        let dependencies: [Dependency]
    }

    /// `{"byName": ["Bytes", null]}` or `{"target": [...]}`.
    struct Dependency: Decodable {
        let name: String

        init(from decoder: any Decoder) throws {
            let kinds = try decoder.singleValueContainer().decode([String: [String?]].self)
            guard let name = kinds.values.first?.first.flatMap({ $0 }) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "a dependency without a name"))
            }
            self.name = name
        }
    }

    let targets: [Target]
}
