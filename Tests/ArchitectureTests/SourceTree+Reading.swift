// SPDX-License-Identifier: Apache-2.0
import Foundation

extension SourceTree {
    /// Reads the checkout at `root`.
    init(reading root: URL) throws {
        let manifest = try JSONDecoder().decode(Manifest.self, from: Self.describePackage(at: root))
        targets = []
        misplaced = []
        testFiles = []
        for target in manifest.targets {
            let parts = target.path.split(separator: "/").map(String.init)
            if parts.first == "Tests" { continue }
            guard parts.count > 2, parts[0] == "Sources", let layer = Layer(rawValue: parts[1]) else {
                misplaced.append(target.path)
                continue
            }
            targets.append(
                Target(
                    name: target.name, layer: layer, path: target.path,
                    dependencies: Set(target.dependencies.map(\.name)),
                    files: try Self.files(below: target.path, of: root)))
        }
        testFiles = try Self.files(below: "Tests", of: root)
        readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    }

    /// `swift package dump-package`, with a scratch path of its own: the usual one is locked by the `swift test` that
    /// runs us.
    private static func describePackage(at root: URL) throws -> Data {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "architecture-\(UUID().uuidString)")
        let output = Pipe()
        let swift = Process()
        swift.executableURL = URL(filePath: "/usr/bin/env")
        // As the rows have them: what these use in turn is added for the compiler alone.
        swift.arguments = [
            "TOUCHLINE_DEPENDENCIES=own", "swift", "package", "--package-path", root.path, "--scratch-path",
            scratch.path, "--manifest-cache", "none", "dump-package",
        ]
        swift.standardOutput = output
        try swift.run()
        let description = try output.fileHandleForReading.readToEnd() ?? Data()
        swift.waitUntilExit()
        try? FileManager.default.removeItem(at: scratch)  // it may not even have been made
        guard swift.terminationStatus == 0 else { throw DescriptionFailure(status: swift.terminationStatus) }
        return description
    }

    private static func files(below folder: String, of root: URL) throws -> [SourceFile] {
        try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path).sorted()
            .filter { ["swift", "c", "h"].contains(URL(filePath: $0).pathExtension) }
            .map { "\(folder)/\($0)" }
            .map { path in
                SourceFile(path: path, text: try String(contentsOf: root.appending(path: path), encoding: .utf8))
            }
    }

    /// `swift package dump-package` ended with another status than 0; what it said is on stderr.
    struct DescriptionFailure: Error { let status: Int32 }
}
