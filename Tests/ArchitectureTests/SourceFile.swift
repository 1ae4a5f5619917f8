// SPDX-License-Identifier: Apache-2.0

/// What the rules need to know of a file.
struct SourceFile {
    /// From the package's root.
    let path: String
    let lineCount: Int
    /// Modules named by `import` lines.
    let imports: Set<String>
    let hasLicence: Bool
    /// By type.
    let storedProperties: [String: Int]
    /// Says why it must be longer than others.
    let excusesLength: Bool

    init(path: String, text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        self.path = path
        lineCount = text.hasSuffix("\n") ? lines.count - 1 : lines.count
        imports = path.hasSuffix(".swift") ? Self.imports(in: lines) : []
        storedProperties = path.hasSuffix(".swift") ? Self.storedProperties(in: lines) : [:]
        hasLicence = lines.prefix(2).contains { $0.contains("SPDX-License-Identifier: Apache-2.0") }
        excusesLength = lines.contains { $0.contains("// long because:") }
    }

    private static func imports(in lines: [Substring]) -> Set<String> {
        var modules: Set<String> = []
        var isInText = false
        for line in lines {
            if !isInText { modules.formUnion(line.split(separator: ";").compactMap(importedModule)) }
            if line.split(separator: "\"\"\"", omittingEmptySubsequences: false).count.isMultiple(of: 2) {
                isInText.toggle()
            }
        }
        return modules
    }

    static let accessLevels: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
    private static let kinds: Set<Substring> = [
        "typealias", "struct", "class", "enum", "protocol", "let", "var", "func",
    ]

    /// The module of `@attribute access import kind Module.Name`.
    private static func importedModule(_ statement: Substring) -> String? {
        var words = statement.split { $0 == " " || $0 == "\t" }[...]
        words = words.drop { $0.hasPrefix("@") || accessLevels.contains($0) }
        guard words.popFirst() == "import" else { return nil }
        words = words.drop { kinds.contains($0) }
        return words.first.map { String($0.prefix { $0.isLetter || $0.isNumber || $0 == "_" }) }
    }
}
