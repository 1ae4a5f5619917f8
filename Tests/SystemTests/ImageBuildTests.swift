// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import System

/// SVM-07.
@Suite struct ImageBuildTests {
    @Test(
        arguments: [
            ("45e68ba1f0c2\n", "45e68ba1f0c2"), ("v0.1.0-12-g45e68ba1-dirty", "v0.1.0-12-g45e68ba1-dirty"), ("", nil),
            ("\n", nil),
            ("a b\n", nil), ("one\ntwo\n", nil), ("é\n", nil), ("\u{1b}[2J\n", nil),
            (String(repeating: "a", count: 65), nil),
            (String(repeating: "a", count: 300), nil),
        ] as [(String, String?)]) func oneLineNamesTheBuild(text: String, build: String?) throws
    {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/build"
        try DurableFile.write(Array(text.utf8), to: path)
        defer { DurableFile.remove(path) }
        #expect(ImageBuild.read(path) == build)
    }

    @Test func withoutAnImageThereIsNone() { #expect(ImageBuild.read("/nowhere/build") == nil) }
}
