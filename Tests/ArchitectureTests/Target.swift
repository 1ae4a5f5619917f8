// SPDX-License-Identifier: Apache-2.0

/// A target under `Sources/`, with its files.
struct Target {
    let name: String
    let layer: Layer
    let path: String
    /// By Package.swift.
    let dependencies: Set<String>
    let files: [SourceFile]

    var imports: Set<String> { files.reduce(into: []) { $0.formUnion($1.imports) } }
    var isSwift: Bool { files.contains { $0.path.hasSuffix(".swift") } }
}
