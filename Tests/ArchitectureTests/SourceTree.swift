// SPDX-License-Identifier: Apache-2.0

/// The package as the rules see it: a value, read from the disk or made by a test.
struct SourceTree {
    var targets: [Target]
    /// Files under `Tests/`.
    var testFiles: [SourceFile]
    /// Paths of targets that lie in no layer.
    var misplaced: [String]
    var readme: String

    func target(named name: String) -> Target? { targets.first { $0.name == name } }
}
