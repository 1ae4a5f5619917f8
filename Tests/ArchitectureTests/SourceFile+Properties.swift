// SPDX-License-Identifier: Apache-2.0

extension SourceFile {
    private static let modifiers = accessLevels.union([
        "final", "weak", "unowned", "lazy", "nonisolated", "nonisolated(unsafe)", "public(set)", "private(set)",
        "fileprivate(set)",
    ])

    /// How many properties each class, structure and actor of the file stores, by name; types within others left out.
    /// By its formatted text: a member is indented by four spaces.
    static func storedProperties(in lines: [Substring]) -> [String: Int] {
        var counts: [String: Int] = [:]
        var type: String?
        for line in lines {
            let words = line.split(separator: " ").drop { $0.hasPrefix("@") || modifiers.contains($0) }
            guard let first = words.first else { continue }
            switch line.prefix(while: { $0 == " " }).count {
            case 0 where ["class", "struct", "actor"].contains(first):
                type = words.dropFirst().first.map { String($0.prefix { $0.isLetter || $0.isNumber || $0 == "_" }) }
            case 0 where ["enum", "extension", "protocol", "func"].contains(first): type = nil
            case 4 where first == "let" || first == "var" && !isComputed(line):
                if let type { counts[type, default: 0] += 1 }
            default: break
            }
        }
        return counts
    }

    /// Whether a variable's braces hold how it is made each time, and not its value or observers.
    private static func isComputed(_ line: Substring) -> Bool {
        guard let brace = line.firstIndex(of: "{") else { return false }
        return !line[..<brace].contains("=") && !line[brace...].contains("didSet")
    }
}
