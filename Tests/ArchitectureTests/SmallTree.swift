// SPDX-License-Identifier: Apache-2.0

/// A tree that keeps every rule, for tests that break one.
struct SmallTree {
    private struct Entry {
        let layer: Layer
        var dependencies: Set<String>
        var files: [SourceFile]
        var path: String
    }

    private var entries: [String: Entry] = [:]
    var testFiles: [SourceFile] = []
    var misplaced: [String] = []
    /// Rows of the README besides those of the targets.
    var mapRows: [String] = []

    static let licence = "// SPDX-License-Identifier: Apache-2.0\n"

    init() {
        add(.cLibraries, "CGlass")
        add(.base, "Bytes")
        add(.base, "Time", "import Glibc")
        add(.domain, "Venue", "import Time")
        add(.wire, "RTP", "public import Bytes\nimport struct Venue.Channel")
        add(.media, "Media", "@testable internal import Time")
        add(.devices, "System", "import Glibc\nimport Time")
        add(.devices, "Display", "internal import CGlass\nimport System")
        add(.engines, "Reception", "import Media; import RTP")
        add(.engines, "Presentation", "import Display")
        add(.features, "Tuning", "import Reception")
        add(.products, "Box", "import Presentation\nimport Reception\nimport Tuning")
        add(.programs, "boxd", "import Box")
    }

    /// A target of one file, which declares what it imports of the targets so far.
    mutating func add(_ layer: Layer, _ name: String, _ text: String = "") {
        let path = "Sources/\(layer.rawValue)/\(name)"
        let file = SourceFile(
            path: "\(path)/\(layer == .cLibraries ? "shims.h" : "\(name).swift")", text: Self.licence + text)
        entries[name] = Entry(
            layer: layer, dependencies: file.imports.intersection(entries.keys), files: [file], path: path)
    }

    /// A further file, after which `name` declares the targets it imports there.
    mutating func add(to name: String, _ text: String) {
        addFile(to: name, Self.licence + text)
        declare(in: name, entries[name]?.files.last?.imports.intersection(entries.keys) ?? [])
    }

    /// A further file as it is, with nothing declared.
    mutating func addFile(to name: String, _ text: String) {
        guard let entry = entries[name] else { preconditionFailure("no target \(name)") }
        entries[name]?.files.append(SourceFile(path: "\(entry.path)/\(entry.files.count).swift", text: text))
    }

    mutating func declare(in name: String, _ dependencies: Set<String>) {
        entries[name]?.dependencies.formUnion(dependencies)
    }

    mutating func move(_ name: String, to path: String) { entries[name]?.path = path }

    var tree: SourceTree {
        let rows = entries.sorted { $0.key < $1.key }.map { "| \($1.layer.rawValue) | `\($0)` | words |" }
        return SourceTree(
            targets: entries.map { name, entry in
                Target(
                    name: name, layer: entry.layer, path: entry.path, dependencies: entry.dependencies,
                    files: entry.files)
            },
            testFiles: testFiles, misplaced: misplaced,
            readme: """
                # Touchline

                ## Map of Sources

                | Layer | Target | Holds |
                |---|---|---|
                \((rows + mapRows).joined(separator: "\n"))

                ## Building

                | Tool | `swift` |
                """)
    }
}
